# SPDX-License-Identifier: Apache-2.0
# make demo | test | bench | build | clean
BUILD := build/release
JOBS := $(shell nproc)

.PHONY: build demo test bench clean
.DEFAULT_GOAL := build

build:
	scripts/install-deps.sh --test --bench
	cmake --preset release -DSWGEN_TESTS=ON -DSWGEN_BENCH=ON
	cmake --build --preset release -j$(JOBS)

# The demo needs neither tests nor peers, nor the packages they need.
demo:
	scripts/install-deps.sh
	cmake --preset release -DSWGEN_TESTS=OFF -DSWGEN_BENCH=OFF
	cmake --build --preset release -j$(JOBS)
	scripts/demo.sh $(BUILD)

test: build
	ctest --preset release -j$(JOBS)

bench: build
	scripts/bench.sh $(BUILD)

clean:
	rm -rf build
