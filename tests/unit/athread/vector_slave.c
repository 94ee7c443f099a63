// SPDX-License-Identifier: Apache-2.0
// c = a + b with double buffering; each CPE owns kVectorChunks chunks.
// Plain name, compiled with -Dvector_add=slave_vector_add.
#include "simd.h"
#include "slave.h"
#include "slave_args.h"

static __thread_local double a[2][kVectorChunk] __attribute__((aligned(32)));
static __thread_local double b[2][kVectorChunk] __attribute__((aligned(32)));
static __thread_local double c[kVectorChunk] __attribute__((aligned(32)));
static __thread_local volatile int got[2], put;

static void fetch(const VectorArgs *args, long chunk, int half) {
  got[half] = 0;
  athread_get(PE_MODE, args->a + chunk * kVectorChunk, a[half], sizeof a[half], &got[half], 0, 0, 0);
  athread_get(PE_MODE, args->b + chunk * kVectorChunk, b[half], sizeof b[half], &got[half], 0, 0, 0);
}

void vector_add(VectorArgs *args) {
  long first = (long)_MYID * kVectorChunks;
  int chunk, i;
  fetch(args, first, 0);
  for (chunk = 0; chunk < kVectorChunks; ++chunk) {
    int half = chunk & 1;
    if (chunk + 1 < kVectorChunks) fetch(args, first + chunk + 1, 1 - half);
    while (got[half] != 2)
      ;
    asm volatile("memb");
    for (i = 0; i < kVectorChunk; i += 4) {
      doublev4 x, y;
      simd_load(x, &a[half][i]);
      simd_load(y, &b[half][i]);
      simd_store(x + y, &c[i]);
    }
    put = 0;
    athread_put(PE_MODE, c, args->c + (first + chunk) * kVectorChunk, sizeof c, &put, 0, 0);
    while (put != 1)
      ;
  }
}
