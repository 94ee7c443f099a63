// SPDX-License-Identifier: Apache-2.0
// Correct uses of DMA modes, thread-local data, scalars from memory and register messages.
#include "simd.h"
#include "slave.h"
#include "slave_args.h"

static __thread_local int buffer[64];
static __thread_local int initialised = 7;
static __thread_local volatile int reply;

// 4 blocks of 2 ints with gaps of 3 ints, packed in LDM; written back with gaps of 1 int.
void SLAVE_FUN(strided)(CaseArgs *args) {
  if (_MYID != 5) return;
  reply = 0;
  athread_get(PE_MODE, args->source, buffer, 32, &reply, 0, 12, 8);
  while (reply != 1)
    ;
  athread_put(PE_MODE, buffer, args->target, 32, &reply, 4, 8);
  while (reply != 2)
    ;
}

// CPE 9 broadcasts to rows 1 and 3; everyone adds its number and writes its own copy.
void SLAVE_FUN(broadcast)(CaseArgs *args) {
  int i;
  for (i = 0; i < 4; ++i) buffer[i] = -1;
  athread_syn(ARRAY_SCOPE, 0xffff);
  reply = 0;
  if (_MYID == 9) {
    athread_get(BCAST_MODE, args->source, buffer, 16, &reply, 0x0a, 0, 0);
    while (reply != 1)
      ;
    reply = 0;
  }
  athread_syn(ARRAY_SCOPE, 0xffff);
  for (i = 0; i < 4; ++i) buffer[i] += _MYID;
  athread_put(PE_MODE, buffer, args->target + 4 * _MYID, 16, &reply, 0, 0);
  while (reply != 1)
    ;
}

// One request per row: columns get consecutive pieces of 2 ints, twice.
void SLAVE_FUN(row_mode)(CaseArgs *args) {
  reply = 0;
  buffer[0] = 0;
  athread_syn(ROW_SCOPE, 0xff);
  if (_COL == 3) {
    athread_get(ROW_MODE, args->source + _ROW * 32, buffer, 16, &reply, 0, 0, 8);
    while (reply != 1)
      ;
    reply = 0;
  }
  athread_syn(ROW_SCOPE, 0xff);
  athread_put(PE_MODE, buffer, args->target + 4 * _MYID, 16, &reply, 0, 0);
  while (reply != 1)
    ;
}

// Every CPE of a row issues for its own slice; a row sync stands before the use.
void SLAVE_FUN(rank_mode)(CaseArgs *args) {
  reply = 0;
  athread_get(RANK_MODE, args->source + 4 * _MYID, buffer, 16, &reply, 0, 0, 16);
  while (reply != 1)
    ;
  athread_syn(ROW_SCOPE, 0xff);
  reply = 0;
  athread_put(PE_MODE, buffer, args->target + 4 * _MYID, 16, &reply, 0, 0);
  while (reply != 1)
    ;
}

// Per-CPE copies, initial values and their life across spawns; target[i] is a store to memory.
void SLAVE_FUN(thread_locals)(CaseArgs *args) {
  initialised += _MYID;
  args->target[_MYID] = initialised;
}

// Scalar and vector loads from memory: args->source, 4 scalars, 2 floatv4, 1 doublev4, args->target; one 32-byte store.
void SLAVE_FUN(memory_vectors)(CaseArgs *args) {
  float *memory = (float *)args->source;
  floatv4 f, g;
  doublev4 d;
  int i;
  simd_load(f, memory);
  simd_load(g, memory + 4);
  simd_load(d, (double *)(memory + 8));
  d += simd_widen(f + g);
  for (i = 0; i < 4; ++i) d += simd_splat_doublev4(((volatile int *)memory)[16 + i]);
  simd_store(d, (double *)args->target);
}

// The clock counts events of this CPE when no observer gives one.
void SLAVE_FUN(clock_values)(CaseArgs *args) { args->target[_MYID] = (int)RTC(); }

// floatv4 and intv8 messages along the row ring, a broadcast along the column.
void SLAVE_FUN(messages)(CaseArgs *args) {
  floatv4 f = simd_set_floatv4(_MYID, 0.5, 1, 2), from_left;
  intv8 w = simd_set_intv8(_ROW, 1, 2, 3, 4, 5, 6, 7);
  doublev4 d;
  simd_putr(f, (_COL + 1) % 8);
  from_left = simd_getr(f);
  if (_ROW == 2) {
    simd_putc(w, 8);
  } else {
    w = simd_getc(w);
  }
  d = simd_widen(from_left);
  args->target[_MYID] = (int)d[0] * 100 + simd_vextw0(w) * 10 + (int)(2 * d[1]);
}
