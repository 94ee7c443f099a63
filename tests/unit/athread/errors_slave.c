// SPDX-License-Identifier: Apache-2.0
// One mistake per case number; see errors_test.cpp for the message each must give.
#include "dma.h"
#include "simd.h"
#include "slave.h"
#include "slave_args.h"

static __thread_local int buffer[64] __attribute__((aligned(32)));
static __thread_local volatile int reply;
static volatile int never_set;

static void get_wait(CaseArgs *args, void *ldm, int bytes, int stride, int bsize) {
  reply = 0;
  athread_get(PE_MODE, args->source, ldm, bytes, &reply, 0, stride, bsize);
  dma_wait(&reply, 1);
}

// Mistakes of CPE 3 alone; the others return.
void SLAVE_FUN(dma_mistake)(CaseArgs *args) {
  int i;
  dma_desc d = 0;
  if (_MYID != 3) return;
  switch (args->case_number) {
    case 0: get_wait(args, buffer, 6, 0, 0); break;
    case 1: get_wait(args, (char *)buffer + 2, 8, 0, 0); break;
    case 2: get_wait(args, buffer, 24, 8, 16); break;
    case 3: get_wait(args, buffer, 1 << 24, 0, 0); break;
    case 4: get_wait(args, args->target, 8, 0, 0); break;
    case 5: get_wait(args, buffer + 60, 32, 0, 0); break;
    case 6: get_wait(args, (char *)buffer + 131072, 8, 0, 0); break;
    case 7: athread_get(PE_MODE, args->source, buffer, 8, &never_set, 0, 0, 0); break;
    case 8: athread_get(BROW_MODE, args->source, buffer, 8, &reply, 1, 0, 0); break;
    case 9: /* pending at the end */
      athread_get(PE_MODE, args->source, buffer, 8, &reply, 0, 0, 0);
      break;
    case 10: /* two answers, one awaited */
      reply = 0;
      for (i = 0; i < 2; ++i) athread_get(PE_MODE, args->source, buffer + 4 * i, 8, &reply, 0, 0, 0);
      dma_barrier();
      dma_wait(&reply, 1);
      break;
    case 11: /* one answer, two awaited */
      reply = 0;
      athread_get(PE_MODE, args->source, buffer, 8, &reply, 0, 0, 0);
      dma_wait(&reply, 2);
      break;
    case 12: /* the same in a raw spin */
      reply = 0;
      athread_get(PE_MODE, args->source, buffer, 8, &reply, 0, 0, 0);
      while (reply != 2)
        ;
      break;
    case 13: /* early read */
      reply = 0;
      athread_get(PE_MODE, args->source, buffer, 8, &reply, 0, 0, 0);
      args->target[0] = buffer[1];
      dma_wait(&reply, 1);
      break;
    case 14: dma_set_size(&d, 1 << 24); break;
    case 15: dma(d, args->source, buffer); break;
    case 16: get_wait(args, buffer, 8, 8, 0); break;
  }
}

void SLAVE_FUN(ldm_mistake)(CaseArgs *args) {
  char *p;
  doublev4 v;
  if (_MYID != 3) return;
  buffer[0] = 0;
  p = (char *)ldm_malloc(1024);
  switch (args->case_number) {
    case 0: ldm_malloc(64 * 1024); break;
    case 1: ldm_free(p, 512); break;
    case 2: ldm_free(p + 32, 1024); break;
    case 3: p[args->value] = 1; break; /* the offset leads to another CPE or to a guard */
    case 4: simd_load(v, p + 8); simd_store(v, p); break;
    case 5: *(volatile doublev4 *)(p + args->value) = simd_splat_doublev4(1); break;
  }
}

static int deep(int n) {
  volatile char local[4096];
  local[n] = (char)n;
  return n == 0 ? local[0] : deep(n - 1) + local[n];
}

void SLAVE_FUN(stack_mistake)(CaseArgs *args) {
  if (_MYID == 3) args->target[0] = deep(args->value);
}

void SLAVE_FUN(mesh_mistake)(CaseArgs *args) {
  doublev4 v = simd_splat_doublev4(_MYID);
  int i;
  switch (args->case_number) {
    case 0: /* nobody puts */
      if (_ROW == 0) v = simd_getr(v);
      break;
    case 1: /* full FIFO */
      for (i = 0; i < 5 && _MYID == 0; ++i) simd_putc(v, 7);
      break;
    case 2: /* left over */
      if (_MYID == 1) simd_putr(v, 8);
      break;
    case 3: /* one does not come */
      if (_MYID != 17) athread_syn(ARRAY_SCOPE, 0xffff);
      break;
    case 4: /* two different syncs */
      if (_COL == 0) {
        athread_syn(COL_SCOPE, 0xff);
      } else {
        athread_syn(ROW_SCOPE, 0xff);
      }
      break;
    case 5: simd_putr(v, _COL); break;
    case 6: athread_syn(ROW_SCOPE, 0xffff); break;
    case 7: /* memory flag that nobody sets */
      while (_MYID == 0 && never_set == 0)
        ;
      break;
    case 8: /* seven of eight */
      reply = 0;
      if (_ROW == 0 && _COL != 2) {
        athread_get(RANK_MODE, args->source, buffer, 8, &reply, 0, 0, 8);
        dma_wait(&reply, 1);
      }
      break;
    case 9: athread_syn(ROW_SCOPE, 0xfe); break;
  }
  args->target[_MYID] = (int)v[0];
}

// What an early read finds when it is not trapped, and that a put takes its source at the answer.
void SLAVE_FUN(early_access)(CaseArgs *args) {
  if (_MYID != 0) return;
  reply = 0;
  athread_get(PE_MODE, args->source, buffer, 8, &reply, 0, 0, 0);
  args->target[0] = buffer[0];
  dma_wait(&reply, 1);
  args->target[1] = buffer[0];
  buffer[0] = 11;
  athread_put(PE_MODE, buffer, args->target + 2, 4, &reply, 0, 0);
  buffer[0] = 12;
  dma_wait(&reply, 2);
}

// Two requests answered one per round: after the first answer the second destination is still poison.
void SLAVE_FUN(four_pending)(CaseArgs *args) {
  int i;
  if (_MYID != 0) return;
  reply = 0;
  for (i = 0; i < 4; ++i) athread_get(PE_MODE, args->source + i, buffer + i, 4, &reply, 0, 0, 0);
  while (reply < 4)
    ;
  for (i = 0; i < 4; ++i) args->target[i] = buffer[i];
}
