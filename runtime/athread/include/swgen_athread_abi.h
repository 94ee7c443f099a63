// SPDX-License-Identifier: Apache-2.0
// Entry points of the emulator that the macros of athread.h, slave.h, simd.h and dma.h call. Not for direct use.
#ifndef SWGEN_ATHREAD_ABI_H
#define SWGEN_ATHREAD_ABI_H

// Defined when code is built for the emulation; generated sources test it to choose their native or emulator branch.
#define SWGEN_ATHREAD_EMULATION 1

// On the machine the slave compiler prefixes every symbol with slave_.
#define SLAVE_FUN(f) slave_##f

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*start_routine)(void *);

int swgen_athread_spawn(unsigned long cpes, start_routine f, void *arg);
unsigned long swgen_athread_default_group(void);

int swgen_athread_my_id(void);
unsigned long swgen_athread_cycles(void);

const void *swgen_athread_vector_load(const volatile void *p, unsigned long bytes, unsigned long align);
void *swgen_athread_vector_store(volatile void *p, unsigned long bytes, unsigned long align);

// direction: 0 along the row, 1 along the column; dst 0-7 or 8 = the seven others.
void swgen_athread_rlc_put(int direction, const void *value, unsigned long bytes, int dst);
void swgen_athread_rlc_get(int direction, void *value, unsigned long bytes);

#ifdef __cplusplus
}
#endif
#endif
