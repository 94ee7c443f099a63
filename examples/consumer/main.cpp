// SPDX-License-Identifier: Apache-2.0
// Calls an emitted kernel: C[64][48] = A[64][32] * B[32][48].
#include <swgen_product.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

int main() {
  const int threads = 2;
  const std::vector<float> a(64 * 32, 1.5f), b(32 * 48, 2.0f);
  std::vector<float> c(64 * 48);
  swgen_product_args args = {};
  args.A = a.data(), args.B = b.data(), args.C = c.data();
  args.workspace = std::aligned_alloc(64, (swgen_product_workspace_bytes(threads) / 64 + 1) * 64);
  const int code = swgen_product_run(&args, threads);
  std::free(args.workspace);
  std::printf("C[63][47] = %g, expected 96\n", c.back());
  return code == 0 && c.back() == 96 ? 0 : 1;
}
