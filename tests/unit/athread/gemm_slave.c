// SPDX-License-Identifier: Apache-2.0
// Register-communication GEMM: CPE (i,j) holds tiles A(i,j), B(i,j), C(i,j); at step t column t sends A along the rows,
// row t sends B along the columns.
#include "dma.h"
#include "simd.h"
#include "slave.h"
#include "slave_args.h"

enum { kT = kGemmTile, kN = 8 * kGemmTile, kVectors = kGemmTile / 4 };

static __thread_local_fix dma_desc get_tile = 0;
static __thread_local volatile unsigned int reply = 0;

static void load_tile(const double *memory, double *ldm) {
  reply = 0;
  dma_set_op(&get_tile, DMA_GET);
  dma(get_tile, (long)memory, (long)ldm);
  dma_wait(&reply, 1);
}

static void multiply_step(int t, doublev4 *a, const double *b, doublev4 *c) {
  int k, v, n;
  for (k = 0; k < kT; ++k) {
    doublev4 column[kVectors];
    for (v = 0; v < kVectors; ++v) {
      if (_COL == t) {
        simd_loadr(column[v], &a[k * kVectors + v]);
      } else {
        column[v] = simd_getr(column[v]);
      }
    }
    for (n = 0; n < kT; ++n) {
      doublev4 x;
      if (_ROW == t) {
        simd_loadec(x, &b[k * kT + n]);
      } else {
        x = simd_getc(x);
      }
      for (v = 0; v < kVectors; ++v) c[n * kVectors + v] = simd_vmad(column[v], x, c[n * kVectors + v]);
    }
  }
}

void SLAVE_FUN(mesh_gemm)(GemmArgs *args) {
  const size_t bytes = kT * kT * sizeof(double);
  doublev4 *a = (doublev4 *)ldm_malloc(bytes);
  double *b = (double *)ldm_malloc(bytes);
  doublev4 *c = (doublev4 *)ldm_malloc(bytes);
  int t, i;
  dma_descriptor_init(&get_tile, &reply);
  dma_set_size(&get_tile, (long)bytes);
  dma_set_bsize(&get_tile, kT * sizeof(double));
  dma_set_stepsize(&get_tile, (kN - kT) * sizeof(double));
  load_tile(args->a + (long)_COL * kT * kN + _ROW * kT, (double *)a);
  load_tile(args->b + (long)_ROW * kT * kN + _COL * kT, b);
  for (i = 0; i < kT * kVectors; ++i) c[i] = simd_splat_doublev4(0.0);
  for (t = 0; t < 8; ++t) {
    multiply_step(t, a, b, c);
    athread_syn(ARRAY_SCOPE, 0xffff);
  }
  reply = 0;
  dma_set_op(&get_tile, DMA_PUT);
  dma(get_tile, args->c + (long)_COL * kT * kN + _ROW * kT, c);
  dma_wait(&reply, 1);
  ldm_free(a, bytes);
  ldm_free(b, bytes);
  ldm_free(c, bytes);
}
