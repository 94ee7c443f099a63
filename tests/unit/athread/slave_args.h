// SPDX-License-Identifier: Apache-2.0
// Arguments that the host tests pass to the slave functions.
#pragma once

enum { kVectorChunk = 128, kVectorChunks = 6, kGemmTile = 16 };

typedef struct {
  const double *a;
  const double *b;
  double *c;
} VectorArgs;

typedef struct {
  const double *a; /* column-major M x K */
  const double *b; /* row-major K x N */
  double *c;       /* row-major M x N, 8 tiles of 16 each way */
} GemmArgs;

typedef struct {
  int *source;
  int *target;
  int case_number;
  int value;
} CaseArgs;
