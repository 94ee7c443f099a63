#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make bench`: tunes the examples with one and two threads, then compares with oneDNN and OpenBLAS.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: scripts/bench.sh [BUILD]

BUILD is the folder of the build (default build/release). Tunes examples/conv.yaml, vgg16.yaml at
batch 1 and gemm.yaml into out/bench/bench.db, convolutions also for plain nchw activations, and
prints the comparison; it is also in out/bench/threads-N.txt. A second run measures only what is
missing. Variables:

  SWGEN_BENCH_TIME     budget per workload (default 60s: about three hours in all)
  SWGEN_BENCH_REPEATS  rounds per comparison (default 11)
TEXT
}

if [[ ${1:-} == --help || ${1:-} == -h ]]; then
  usage
  exit 0
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=${1:-build/release}/bin
out=out/bench
budget=${SWGEN_BENCH_TIME:-60s}
repeats=${SWGEN_BENCH_REPEATS:-11}
convolutions=(examples/conv.yaml examples/vgg16.yaml)
all=("${convolutions[@]}" examples/gemm.yaml)

mkdir -p "$out"
for threads in 1 2; do
  common=(--set batch=1 --threads "$threads" --time "$budget" --db "$out/bench.db")
  echo "tuning with $threads thread(s), $budget per workload"
  "$bin/swgen" tune "${all[@]}" "${common[@]}"
  echo "the convolutions on plain nchw activations"
  "$bin/swgen" tune "${convolutions[@]}" "${common[@]}" --set layout=nchw
done

# Nothing tunes any more: all programs of a comparison have the machine to themselves.
for threads in 1 2; do
  echo
  "$bin/swgen-bench" "${all[@]}" --set batch=1 --threads "$threads" --db "$out/bench.db" \
    --layout nchw --repeats "$repeats" --work "$out/work-$threads" | tee "$out/threads-$threads.txt"
done
