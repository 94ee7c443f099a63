# SPDX-License-Identifier: Apache-2.0
# make demo | test | bench | build | clean
BUILD := build/release
JOBS := $(shell nproc)

.PHONY: build demo test bench clean
.DEFAULT_GOAL := build

build:
	scripts/install-deps.sh --test --bench
	cmake --preset release
	cmake --build --preset release -j$(JOBS)

demo: build
	scripts/demo.sh $(BUILD)

test: build
	ctest --preset release -j$(JOBS)

bench: build
	scripts/bench.sh $(BUILD)

clean:
	rm -rf build
