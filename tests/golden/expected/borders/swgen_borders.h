// SPDX-License-Identifier: Apache-2.0
// swgen 0.1.0, workload borders, target x86 avx2
// workload: conv2d forward batch=1 dilation=1,1 groups=1 in_channels=2 input=9,9 kernel=3,3 out_channels=8 padding=1,1,1,1 stride=1,1 dtype=f32 layout=any epilogue=none
// schedule: algo(direct) layout(Y,nhwc) layout(X,nhwc) split(x,xo,xt,3) reorder(n,y,xo,xt,o,p,q,i) tensorize(xt,M) tensorize(o,N) tensorize(p,K) tensorize(q,K) tensorize(i,K) stage(W,root,prepacked,1) parallel(y)
//
// conv2d forward
//
// Tensors (elements are float, the last dimension is the fastest):
//   X: n,c,h,w = 1 x 2 x 9 x 9, layout nhwc, 162 elements of float
//   W: packed by _prepack, 144 elements; from o,i,h,w = 8 x 2 x 3 x 3
//   Y: output n,c,h,w = 1 x 8 x 9 x 9, layout nhwc, 648 elements of float
//
// Pointers need the alignment of float; 64 bytes are faster. No tensor may overlap Y. All functions are reentrant: threads may call
// them at once with workspaces of their own.
// Sizes are in bytes.
#ifndef SWGEN_BORDERS_H
#define SWGEN_BORDERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct swgen_borders_args {
  const float* X;
  const float* W;
  float* Y;
  void* workspace;  // swgen_borders_workspace_bytes(threads), 64-byte aligned; may be null when that is 0
} swgen_borders_args;

/// Bytes of workspace that a call with `threads` threads needs.
size_t swgen_borders_workspace_bytes(int threads);

/// Computes the whole output. Returns 0, or 1 when a pointer is null or threads < 1.
int swgen_borders_run(const swgen_borders_args* args, int threads);

/// Computes the box begin <= index < end of the output (n,c,h,w) with one thread. Each bound is
/// a multiple of {1, 8, 1, 3} or the extent; else nothing is computed and 2 is returned.
int swgen_borders_run_box(const swgen_borders_args* args, const long begin[4], const long end[4]);

/// X from plain nchw to the kernel's layout nhwc.
void swgen_borders_reorder_X(const float* plain, float* own);

/// Size of W in packed form, and the function that packs it; once per set of weights.
size_t swgen_borders_prepacked_bytes(void);
void swgen_borders_prepack(const float* W, float* packed);

/// Y from the kernel's layout nhwc to plain nchw.
void swgen_borders_restore_Y(const float* own, float* plain);

#ifdef __cplusplus
}
#endif

#endif
