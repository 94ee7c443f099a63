// SPDX-License-Identifier: Apache-2.0
// Host (MPE) side of the athread API, emulated: one core group per host thread. Compiles as C99 and C++98.
#ifndef SWGEN_ATHREAD_HOST_H
#define SWGEN_ATHREAD_HOST_H

#include "swgen_athread_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns 0. A second call without athread_halt in between changes nothing.
int athread_init(void);
// Closes the group: LDM contents are lost, the next athread_init starts afresh.
int athread_halt(void);
// Runs everything spawned to completion; errors of the slave code surface here.
int athread_join(void);
int athread_join_group(unsigned long cpes);
// Single CPE: create, then wait (runs whatever has been created), then end.
int athread_create_routine(int id, start_routine f, void *arg);
int athread_wait(int id);
int athread_end(int id);
int athread_get_max_threads(void);
int athread_get_num_threads(void);
int athread_set_num_threads(int count);
// One bit per idle CPE; 0 when busy or not initialised.
unsigned long athread_idle(void);

#ifdef __cplusplus
}
#endif

// The bare name f of a slave function becomes the symbol slave_f. The inner cast keeps -Wcast-function-type quiet.
#define SWGEN_ATHREAD_ROUTINE(f) ((start_routine)(void (*)(void))slave_##f)

#define athread_spawn(f, arg) \
  swgen_athread_spawn(swgen_athread_default_group(), SWGEN_ATHREAD_ROUTINE(f), (void *)(arg))
#define athread_spawn_group(cpes, f, arg) swgen_athread_spawn((cpes), SWGEN_ATHREAD_ROUTINE(f), (void *)(arg))
#define athread_create(id, f, arg) athread_create_routine((id), SWGEN_ATHREAD_ROUTINE(f), (void *)(arg))

#endif
