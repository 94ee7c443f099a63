#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian 12 packages that building swgen needs; packages that are there are left alone.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: scripts/install-deps.sh [--test] [--bench] [--check]

  (no option)  what building swgen needs
  --test       also what its tests need
  --bench      also the libraries that the benchmarks compare with
  --check      install nothing: list what is missing, exit with 1 if anything is

Runs as root, or through sudo when something has to be installed.
TEXT
}

# LLVM's CMake files also look for zlib, libffi, terminfo and libxml2; llvm-14-dev depends on all but zlib.
base=(
  ccache
  clang-14
  cmake
  g++
  libboost-context-dev
  libboost-program-options-dev
  libclang-14-dev
  libclang-cpp14-dev
  libomp-14-dev
  libsqlite3-dev
  llvm-14-dev
  make
  ninja-build
  pkg-config
  zlib1g-dev
)
# Halide's CMake files insist on PNG and JPEG, which libhalide14-0-dev does not depend on.
test=(libgmock-dev libgtest-dev libhalide14-0-dev libjpeg-dev libpng-dev)
bench=(libdnnl-dev libopenblas-dev)

wanted=("${base[@]}")
check=no
for argument in "$@"; do
  case "$argument" in
    --test) wanted+=("${test[@]}") ;;
    --bench) wanted+=("${bench[@]}") ;;
    --check) check=yes ;;
    --help | -h)
      usage
      exit 0
      ;;
    *)
      echo "install-deps.sh: error: found '$argument', expected --test, --bench, --check or --help" >&2
      exit 2
      ;;
  esac
done

if ! command -v dpkg-query >/dev/null; then
  echo "install-deps.sh: error: found no dpkg-query, expected Debian 12; install what stands for:" >&2
  printf '  %s\n' "${wanted[@]}" >&2
  exit 2
fi

missing=()
for package in "${wanted[@]}"; do
  # One line for each architecture that the package is known for.
  status=$(dpkg-query --show --showformat='${db:Status-Status}\n' "$package" 2>/dev/null || true)
  grep -qx installed <<<"$status" || missing+=("$package")
done

if ((${#missing[@]} == 0)); then
  exit 0
fi
if [[ $check == yes ]]; then
  printf '%s\n' "${missing[@]}"
  exit 1
fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "install-deps.sh: error: found neither root nor sudo, expected one of them to install:" >&2
    printf '  %s\n' "${missing[@]}" >&2
    exit 2
  fi
  as_root=(sudo)
fi

echo "install-deps.sh: installing ${missing[*]}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -q -y --no-install-recommends "${missing[@]}"
