// SPDX-License-Identifier: Apache-2.0
// swgen 0.1.0, workload tiny, target x86 avx2
// workload: matmul forward batch=1 k=3 m=1 n=8 transpose_a=0 transpose_b=0 dtype=f32 layout=nchw epilogue=none
// schedule: algo(direct) tensorize(m,M) tensorize(n,N) tensorize(k,K)
//
// matmul forward
//
// Tensors (elements are float, the last dimension is the fastest):
//   A: b,m,k = 1 x 1 x 3, 3 elements of float
//   B: b,k,n = 1 x 3 x 8, 24 elements of float
//   C: output b,m,n = 1 x 1 x 8, 8 elements of float
//
// Pointers need the alignment of float; 64 bytes are faster. No tensor may overlap C. All functions are reentrant: threads may call
// them at once with workspaces of their own.
// Sizes are in bytes.
#ifndef SWGEN_TINY_H
#define SWGEN_TINY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct swgen_tiny_args {
  const float* A;
  const float* B;
  float* C;
  void* workspace;  // swgen_tiny_workspace_bytes(threads), 64-byte aligned; may be null when that is 0
} swgen_tiny_args;

/// Bytes of workspace that a call with `threads` threads needs.
size_t swgen_tiny_workspace_bytes(int threads);

/// Computes the whole output. Returns 0, or 1 when a pointer is null or threads < 1.
int swgen_tiny_run(const swgen_tiny_args* args, int threads);

/// Computes the box begin <= index < end of the output (b,m,n) with one thread. Each bound is
/// a multiple of {1, 1, 8} or the extent; else nothing is computed and 2 is returned.
int swgen_tiny_run_box(const swgen_tiny_args* args, const long begin[3], const long end[3]);

#ifdef __cplusplus
}
#endif

#endif
