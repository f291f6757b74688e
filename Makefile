# make build   .venv/ with trtcheck in it, build/ with the C++ side
# make demo    the program alone (build/cpp/trtcheck), and the example models checked with it
# make test    C++ and Python tests
# make docs    build/docs/html, the documentation as a site
# make wheel   dist/*.whl, for any Linux with glibc 2.35 or newer: Ubuntu 22.04, Debian 12
# make lint    clang-format, ruff, mypy, clang-tidy (lint-quick: without clang-tidy)
# make asan    C++ tests with address and undefined-behaviour sanitizers
# make clang   C++ tests as Clang compiles them, with the same sanitizers
# make fuzz    each fuzzer for FUZZ_SECONDS (1800); what it finds stays in build-deep/found
# make fuzz-shapes  random models for FUZZ_SECONDS: what is inferred of their shapes, and what ONNX Runtime computes
# make tidy    clang-tidy over all C++, tests too
# make deep    clang, fuzz and tidy: two hours
# make coverage  lines and branches of edit/ and bytes/ that the tests of edits, repairs and files reach; fails where they do not reach all
# make bench   time and memory next to onnx, and what is said of shapes next to others
# make bench-simplify  `simplify` next to onnxsim, OnnxSlim and Polygraphy
# make bench-build  processor seconds of compiling, cold and after a small change
# make bombs   time and memory of hostile models
# make truth   rows, rules and a grid of models before NVIDIA's own parser and builder: docs/accuracy.md; downloads 490 MB once
#              TRUTH="--anew": asks again about what is recorded
#
# PYTHON chooses the interpreter of .venv, JOBS the number of parallel compilers, DIST where the wheel goes.
PYTHON ?= python3
JOBS ?= $(shell nproc)
DIST ?= dist
# Quoted where it is used: a name may hold blanks, and the shell leaves ~ alone then.
WHEELS = $(patsubst ~/%,$(HOME)/%,$(DIST))

PROGRAM_PACKAGES := g++ cmake ninja-build ccache python3 libcli11-dev libcmark-dev libeigen3-dev libfmt-dev \
  libgraphviz-dev libprotozero-dev libtomlplusplus-dev nlohmann-json3-dev
SYSTEM_PACKAGES := $(PROGRAM_PACKAGES) python3-dev python3-venv libprotobuf-dev protobuf-compiler catch2 libbenchmark-dev libonnx-testdata shellcheck
TEST_PACKAGES := chromium chromium-driver
DOCS_PACKAGES := doxygen
LINT_PACKAGES := clang-format clang-tidy
CLANG_PACKAGES := clang libclang-rt-14-dev
BENCH_PACKAGES := valgrind

CPP_FILES = $(shell git ls-files '*.cpp' '*.hpp')
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
export CMAKE_GENERATOR := Ninja
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: build cpp program demo test docs wheel coverage bench bench-simplify bench-build bombs truth lint lint-quick format stub asan clang tidy fuzz fuzz-shapes deep clean \
  system-packages lint-packages program-packages docs-packages test-packages bench-packages clang-packages

# Compiles once: wheels, ctest and `cmake --install` share build/.
build: system-packages .venv/ready
	.venv/bin/python packaging/build_wheel.py build/wheel
	.venv/bin/pip install --quiet --no-deps --force-reinstall build/wheel/*.whl

cpp: build
	cmake --build build

# What needs no test and no Python package. A build folder that is there already stays as it is.
program: program-packages
	[ -f build/build.ninja ] || cmake -S . -B build -DTRTCHECK_BUILD_TESTS=OFF -DCMAKE_UNITY_BUILD=ON
	cmake --build build --target trtcheck_cli

program-packages:
	@packaging/need.sh $(PROGRAM_PACKAGES)

system-packages:
	@packaging/need.sh $(SYSTEM_PACKAGES)

docs-packages:
	@packaging/need.sh $(DOCS_PACKAGES)

test-packages: system-packages
	@packaging/need.sh $(TEST_PACKAGES)

bench-packages:
	@packaging/need.sh $(BENCH_PACKAGES)

clang-packages:
	@packaging/need.sh $(CLANG_PACKAGES)

lint-packages:
	@packaging/need.sh $(LINT_PACKAGES)

.venv/ready: requirements-dev.txt | system-packages
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install -r requirements-dev.txt
	touch $@

# Exit code 1 says that there are findings, which is what the broken examples are for.
demo: program
	build/cpp/trtcheck check examples/models/*.onnx || [ $$? -eq 1 ]

test: cpp test-packages
	ctest --test-dir build --output-on-failure --parallel $(JOBS)
	.venv/bin/python -m pytest --numprocesses $(JOBS)

# A warning is an error: a link that leads nowhere, a page that no list names, a public name without a comment.
docs: build docs-packages
	.venv/bin/python docs/generate.py --operators
	.venv/bin/python -m sphinx --builder html --fail-on-warning --keep-going --nitpicky --quiet docs build/docs/html
	.venv/bin/python -m pytest --quiet tests/site

wheel: system-packages .venv/ready
	rm -f "$(WHEELS)"/trtcheck_cpp-*.whl
	.venv/bin/python packaging/build_wheel.py build/wheel
	.venv/bin/auditwheel repair --wheel-dir "$(WHEELS)" build/wheel/*.whl

# A build of its own, whose programs and package the tests use instead of those in .venv. Random tests are left out: what they
# reach is another thing each time.
COVERED := edit bytes
COVERED_TESTS := $(addprefix test_,$(COVERED))
COVERING := $(addprefix tests/python/test_,edit.py fix.py fix_faults.py data_places.py external_data.py cli_bad_input.py cli_signals.py cli_baseline.py cli_many.py find_models.py own_file.py pipes.py annotate.py)
# Percent, of lines and of branches: all is reached, and what is new has to be.
COVERAGE_LEAST := 100
coverage: system-packages .venv/ready
	cmake -S . -B build-coverage -DTRTCHECK_COVERAGE=ON -DTRTCHECK_BUILD_PYTHON=ON -DCMAKE_UNITY_BUILD=ON \
	  -DPython3_EXECUTABLE=$(CURDIR)/.venv/bin/python -Dpybind11_DIR="$$(.venv/bin/python -m pybind11 --cmakedir)"
	cmake --build build-coverage --target trtcheck_wheel $(COVERED_TESTS)
	rm -rf build-coverage/package
	cmake --install build-coverage --component python --prefix build-coverage/package
	find build-coverage -name '*.gcda' -delete
	for each in $(COVERED_TESTS); do build-coverage/tests/cpp/$$each || exit; done
	-PYTHONPATH="$$(dirname "$$(find $(CURDIR)/build-coverage/package -name '_core.*.so' -printf '%h')")" TRTCHECK_BIN=$(CURDIR)/build-coverage/cpp/trtcheck \
	  .venv/bin/python -m pytest --quiet $(COVERING) -k "not random" --deselect tests/python/test_cli_signals.py::test_a_limit_of_file_sizes_is_one_line
	.venv/bin/python tests/coverage.py --least $(COVERAGE_LEAST) build-coverage $(COVERED)

bench: cpp bench-packages
	.venv/bin/python tests/bench/bench.py .venv/bin/trtcheck
	cmake --build build --target trtcheck_scan
	build/tests/bench/trtcheck_scan
	.venv/bin/python tests/bench/shape_protocols.py
	.venv/bin/python tests/bench/shape_models.py

bench-simplify: build
	.venv/bin/python tests/bench/simplify.py .venv/bin/trtcheck

bench-build: system-packages .venv/ready
	.venv/bin/python tests/bench/build_time.py

bombs: build
	.venv/bin/python tests/bench/bombs.py .venv/bin/trtcheck

truth: cpp
	.venv/bin/python tests/truth/truth.py grid --date "$$(date -I)" $(TRUTH)
	.venv/bin/python tests/truth/truth.py second --date "$$(date -I)"
	.venv/bin/python tests/truth/truth.py rows
	.venv/bin/python tests/truth/truth.py shuffles
	.venv/bin/python tests/truth/truth.py placed
	.venv/bin/python tests/truth/truth.py control --date "$$(date -I)"
	.venv/bin/python tests/truth/truth.py compositions --date "$$(date -I)" $(TRUTH)

lint: lint-quick tidy

lint-quick: lint-packages .venv/ready
	clang-format --dry-run --Werror $(CPP_FILES)
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy

format:
	clang-format -i $(CPP_FILES)
	.venv/bin/ruff check --fix
	.venv/bin/ruff format

# python/trtcheck/_core.pyi, checked by tests/python/test_stubs.py
stub: build
	.venv/bin/python packaging/make_stub.py python/trtcheck/_core.pyi

asan: system-packages .venv/ready
	cmake -S . -B build-asan -DTRTCHECK_SANITIZE=ON
	cmake --build build-asan
	ctest --test-dir build-asan --output-on-failure --parallel $(JOBS)

# One build for all of it: Clang, sanitizers, fuzzers and tests. Clang 14 cannot compile the extension: pybind11's
# `typing::Literal` is beyond it.
build-deep/build.ninja: | system-packages clang-packages .venv/ready
	cmake -S . -B build-deep -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DTRTCHECK_SANITIZE=ON -DTRTCHECK_BUILD_FUZZERS=ON

clang: build-deep/build.ninja
	cmake --build build-deep
	LSAN_OPTIONS=suppressions=$(CURDIR)/tests/cpp/leaks.txt ctest --test-dir build-deep --output-on-failure --parallel $(JOBS)

# Side by side, because each takes one processor.
FUZZ_SECONDS ?= 1800
fuzz: build-deep/build.ninja
	cmake --build build-deep --target read_fuzz check_fuzz
	tests/fuzz/run.sh $(FUZZ_SECONDS) build-deep read_fuzz check_fuzz

fuzz-shapes: build
	.venv/bin/python tests/fuzz/shape_fuzz.py --seconds $(FUZZ_SECONDS)

tidy: lint-packages build-deep/build.ninja
	cmake --build build-deep --target trtcheck_generated tests/cpp/generated/words.inc
	run-clang-tidy -quiet -p build-deep -j $(JOBS) "$(CURDIR)/(cpp|tests)/.*"

deep: clang fuzz tidy

clean:
	rm -rf build build-asan build-deep dist .venv
