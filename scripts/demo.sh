#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make demo`: one real layer tuned for both targets, emitted, built and run.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: scripts/demo.sh [BUILD]

BUILD is the folder of the build (default build/release). Everything it makes is below out/demo.
Variables:

  SWGEN_DEMO_TIME  budget of the search on this machine (default 30s)
TEXT
}

if [[ ${1:-} == --help || ${1:-} == -h ]]; then
  usage
  exit 0
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/release}
swgen=$build/bin/swgen
workload=examples/demo.yaml
out=out/demo

step() { printf '\n== %s\n' "$1"; }

# The value of a key that occurs once in the JSON that swgen prints, one member a line.
json_value() {
  awk -v key="\"$1\":" '$1 == key { sub(/^[^:]*: /, ""); gsub(/^"|"?,?$/, ""); print; exit }' "$2"
}

# Builds the package $1 in $1-build with further CMake arguments; prints the errors if that fails.
build_package() {
  local package=$1 log=$1.log
  shift
  if ! { cmake -S "$package" -B "$package-build" "$@" && cmake --build "$package-build"; } >"$log" 2>&1; then
    cat "$log" >&2
    return 1
  fi
}

# Runs the self-test of a built package and keeps its line, which the table shows.
run_self_test() {
  local code=0 tests=("$1-build"/*_selftest)
  "${tests[0]}" >"$1.result" 2>&1 || code=$?
  sed 's/^/  /' "$1.result"
  ((code == 0)) || echo "FAILED with exit code $code" >"$1.result"
}

run_x86() {
  build_package "$out/x86"
  run_self_test "$out/x86"
}

# Off the machine the package runs on the emulated core group.
run_sw26010() {
  cmake --install "$build/runtime/athread" --prefix "$out/athread" >"$out/athread.log"
  build_package "$out/sw26010" -DCMAKE_PREFIX_PATH="$PWD/$out/athread"
  run_self_test "$out/sw26010"
}

# tune with arguments $2..., its JSON to $1.json.
tune() {
  local json=$1.json
  shift
  "$swgen" tune "$workload" --db "$out/demo.db" --json "$@" >"$json" || {
    cat "$json" >&2
    return 1
  }
}

# One line of the table, fields separated by tabs: what tuning said in $1.json, what the emitted
# kernel said in $1.result.
table_line() {
  local json=$1.json
  awk -v layer="$(json_value workload "$json")" -v target="$(json_value target "$json")" \
    -v measured="$(json_value seconds "$json")" -v predicted="$(json_value predicted_seconds "$json")" \
    -v gflops="$(json_value gflops "$json")" -v percent="$(json_value percent_of_peak "$json")" \
    -v result="$(head -n 1 "$1.result")" -v where="$2" '
    BEGIN {
      OFS = "\t"
      sub(/^[^:]*: /, "", result)
      known = measured > 0
      time = sprintf("%.3f ms %s", 1000 * (known ? measured : predicted), ! known ? "predicted" : target == "sw26010" ? "simulated" : "measured")
      print layer, target, time, sprintf("%.1f", gflops), sprintf("%.1f", percent), result " " where
    }'
}

# Aligns columns separated by tabs.
aligned() {
  awk -F '\t' '
    { for (i = 1; i <= NF; ++i) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } }
    END {
      for (row = 1; row <= NR; ++row) {
        line = ""
        for (i = 1; i <= NF; ++i) line = line sprintf("%-" (width[i] + 2) "s", cell[row, i])
        sub(/ +$/, "", line)
        print line
      }
    }'
}

mkdir -p "$out"
step "tuning the layer on this machine (${SWGEN_DEMO_TIME:-30s})"
tune "$out/x86" --time "${SWGEN_DEMO_TIME:-30s}"
step "simulating the schedules for sw26010 that the performance model likes best"
tune "$out/sw26010" --target sw26010

for target in x86 sw26010; do
  step "the emitted package for $target"
  "$swgen" emit "$workload" --target "$target" --db "$out/demo.db" --out "$out/$target"
  "run_$target"
done

step "result"
{
  printf 'layer\ttarget\ttime\tGFLOP/s\t%% of peak\temitted kernel\n'
  table_line "$out/x86" "(this machine)"
  table_line "$out/sw26010" "(emulated core group)"
} | aligned
for target in x86 sw26010; do
  printf '\nschedule on %s:\n  %s\n' "$target" "$(json_value schedule "$out/$target.json")"
done
if grep -q FAILED "$out"/*.result; then exit 1; fi
