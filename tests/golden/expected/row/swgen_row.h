// SPDX-License-Identifier: Apache-2.0
// swgen 0.1.0, workload row, target x86 avx2
// workload: conv2d forward batch=1 dilation=1,1 groups=1 in_channels=2 input=4,6 kernel=1,1 out_channels=3 padding=0,0,0,0 stride=1,1 dtype=f32 layout=nchw epilogue=none
// schedule: algo(pointwise) split(x,xo,xt,8) reorder(n,y,xo,o,xt,i,p,q) tensorize(o,M) tensorize(xt,N) tensorize(i,K) tensorize(p,K) tensorize(q,K)
//
// conv2d forward
//
// Tensors (elements are float, the last dimension is the fastest):
//   X: n,c,h,w = 1 x 2 x 4 x 6, 48 elements of float
//   W: o,i,h,w = 3 x 2 x 1 x 1, 6 elements of float
//   Y: output n,c,h,w = 1 x 3 x 4 x 6, 72 elements of float
//
// Pointers need the alignment of float; 64 bytes are faster. No tensor may overlap Y. All functions are reentrant: threads may call
// them at once with workspaces of their own.
// Sizes are in bytes.
#ifndef SWGEN_ROW_H
#define SWGEN_ROW_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct swgen_row_args {
  const float* X;
  const float* W;
  float* Y;
  void* workspace;  // swgen_row_workspace_bytes(threads), 64-byte aligned; may be null when that is 0
} swgen_row_args;

/// Bytes of workspace that a call with `threads` threads needs.
size_t swgen_row_workspace_bytes(int threads);

/// Computes the whole output. Returns 0, or 1 when a pointer is null or threads < 1.
int swgen_row_run(const swgen_row_args* args, int threads);

/// Computes the box begin <= index < end of the output (n,c,h,w) with one thread. Each bound is
/// a multiple of {1, 3, 4, 6} or the extent; else nothing is computed and 2 is returned.
int swgen_row_run_box(const swgen_row_args* args, const long begin[4], const long end[4]);

#ifdef __cplusplus
}
#endif

#endif
