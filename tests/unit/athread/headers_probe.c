// SPDX-License-Identifier: Apache-2.0
// Uses every header as C99 and, in headers_probe_cxx.cpp, as C++98; built with -Wall -Wextra -Werror, never run.
#include "athread.h"
#include "dma.h"
#include "simd.h"
#include "slave.h"

#ifdef __cplusplus
extern "C"
#endif
void SLAVE_FUN(probe)(int *);

__thread_local_fix dma_desc probe_descriptor = 0;

int PROBE_NAME(void);

int PROBE_NAME(void) {
  int value = 1;
  double memory[4] __attribute__((aligned(32))) = {1, 2, 3, 4};
  volatile unsigned int unsigned_reply = 0;
  volatile int reply = 0;
  doublev4 v, w;
  floatv4 f = simd_splat_floatv4(1);
  intv8 i = simd_splat_intv8(2);
  athread_init();
  athread_spawn(probe, &value);
  athread_join();
  simd_loade(v, memory);
  simd_loader(w, memory);
  simd_loadc(i, memory);
  simd_putr(f, 1);
  f = simd_getc(f);
  v = simd_vsellt(simd_vmad(v, w, simd_widen(f)), v, simd_vinsf1(1.0, simd_vinsf0(2.0, w)));
  simd_storeu(simd_vshff(v, w, 0x44), memory);
  dma_descriptor_init(&probe_descriptor, &reply);
  dma(probe_descriptor, memory, (long)memory);
  dma_wait(&unsigned_reply, 1);
  athread_get(BCAST_MODE, memory, memory, 32, &reply, 0xff, 0, 0);
  athread_put(PE_MODE, memory, memory, 32, (void *)&unsigned_reply, 0, 0);
  athread_syn(ARRAY_SCOPE, 0xffff);
  return _MYID + _ROW + _COL + simd_vextw3(i) + athread_get_max_threads();
}
