// SPDX-License-Identifier: Apache-2.0
// Slave (CPE) side of the athread API, emulated. Compiles as C99 and C++98; build slave code with kSlaveFlags.
//
// Names: the host's athread_spawn(f, arg) calls the symbol slave_f. Slave code gets it in one of two ways:
//   void SLAVE_FUN(f)(T *arg) { ... }      or      void f(T *arg) { ... } compiled with -Df=slave_f.
// The second is source-compatible with the machine, whose slave compiler adds the prefix itself. Both may be combined.
#ifndef SWGEN_ATHREAD_SLAVE_H
#define SWGEN_ATHREAD_SLAVE_H

#include <stddef.h>

#include "dma.h"
#include "swgen_athread_abi.h"

// In LDM, one copy per CPE (through -femulated-tls).
#define __thread_local __thread
#define __thread_local_fix __thread

#define _MYID (swgen_athread_my_id())
#define _ROW (swgen_athread_my_id() >> 3)
#define _COL (swgen_athread_my_id() & 7)
#define RTC() (swgen_athread_cycles())

// asm volatile("memb") is common after a wait; as an empty assembler macro it passes unchanged.
__asm__(".macro memb\n.endm");

typedef enum { ROW_SCOPE = 0, COL_SCOPE = 1, ARRAY_SCOPE = 2 } athread_scope;

#ifdef __cplusplus
extern "C" {
#endif

int athread_get_id(int core);  // -1 = self
int athread_get_core(int id);  // -1 = self

// Memory -> LDM and LDM -> memory. len, stride (gap) and bsize in bytes; stride = bsize = 0 is contiguous.
// mask: one bit per row, BCAST_MODE only. *reply is incremented once when the data have arrived.
int athread_get(dma_mode mode, const volatile void *mem, void *ldm, int len, volatile void *reply, int mask, int stride,
                int bsize);
int athread_put(dma_mode mode, const volatile void *ldm, void *mem, int len, volatile void *reply, int stride,
                int bsize);
int athread_dma_barrier(void);

// mask: ROW_SCOPE columns, COL_SCOPE rows, ARRAY_SCOPE low 8 columns and high 8 rows.
int athread_syn(athread_scope which, int mask);

void *ldm_malloc(size_t bytes);  // 32-byte aligned; running out of LDM is an error here, not NULL
void ldm_free(void *p, size_t bytes);
size_t get_allocatable_size(void);

#ifdef __cplusplus
}
#endif
#endif
