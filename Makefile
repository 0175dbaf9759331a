# SPDX-License-Identifier: Apache-2.0
# The front of the house: what one does every day, also on a fresh machine. `make help` lists it.
# JOBS=N bounds the parallel work, PREFIX=DIR says where `make install` goes (DESTDIR is heeded).

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 120
export CTEST_PARALLEL_LEVEL ?= $(JOBS)
export GTEST_BRIEF ?= 1
# The LLVM libraries are built without sanitizers: a std::vector that crosses the border looks overrun when it is not.
asan_env := \
  ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0:strict_string_checks=1 \
  UBSAN_OPTIONS=print_stacktrace=1

build_dir = scripts/build.sh --jobs $(JOBS)
jax = build-jax/venv
python = build-python/venv
libtpu = build-libtpu/venv
page = build-page/venv
perfetto = build-perfetto/venv
run_tests = ctest --no-tests=error --output-on-failure --test-dir

.DEFAULT_GOAL := build
.PHONY: help setup build lab test test-jax python-env test-python libtpu test-tpu test-page test-perfetto bench \
  gallery format format-check test-asan fuzz fuzz-slice soak install clean

help:  ## what there is
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22

setup:  ## install what is missing from Debian's packages (every target does this first)
	@scripts/setup.sh

build: setup  ## build/bin/millrace
	@$(build_dir) release bin/millrace

lab: build  ## the lesson: a pipelined kernel, simulated and held against an oracle
	@build/bin/millrace lab

test: setup  ## build everything and run all tests
	@$(build_dir) release all
	@$(run_tests) build

test-jax: build  ## JAX's own TPU kernels, simulated and held against references (JAX goes into build-jax/venv)
	@scripts/jax_venv.sh $(jax)
	@$(jax)/bin/python tests/jax/run.py --jobs $(JOBS)

python-env: setup  ## a virtual environment with JAX 0.9.2 and Millrace; the last line is the path of its python
	@$(build_dir) release lib/libmillrace_c.so
	@scripts/python_env.sh $(python) build/lib/libmillrace_c.so

test-python: python-env  ## the Python package and the JAX door, in that environment
	@$(python)/bin/python -m pytest -q tests/python

test-page: build  ## reports in a headless Chromium, installed for this; LONG=1: a million bars; AXE=1: by axe
	@scripts/setup.sh page
	@$(if $(AXE),scripts/venv.sh $(page) tests/page/requirements.txt axe-core)
	@python3 tests/page/run.py build/bin/millrace $(if $(LONG),--long) $(if $(SHOTS),--shots '$(SHOTS)') \
	  $(if $(AXE),--axe $(page)/lib/python3*/site-packages/axe_playwright_python/axe.min.js)

test-perfetto: build  ## traces for ui.perfetto.dev, read back by Perfetto's schema and its trace processor (from PyPI)
	@scripts/setup.sh page
	@scripts/venv.sh $(perfetto) tests/view/requirements.txt perfetto
	@cd tests/cases && for test in published_schema trace_processor; do \
	  ../../$(perfetto)/bin/python ../view/$$test.py ../../build/bin/millrace \
	  faults_small/slot_rewritten_under_store faults_small/dma_awaited_twice kernels_small/cross_entropy own/fa_alibi \
	  two_cores/second_core_reads_too_soon || exit 1; done

libtpu:  ## the real TPU compiler from PyPI, into build-libtpu/venv (docs/tpu.md: whose terms apply); prints its path
	@scripts/libtpu_venv.sh $(libtpu)

test-tpu: setup  ## the real TPU compiler on the lesson's kernels, the cases and the rules' table; runs on CPU plugins
	@scripts/libtpu_venv.sh $(libtpu) >/dev/null
	@$(build_dir) release bin/millrace bin/test_tpu
	@MILLRACE_LIBTPU=$$(scripts/libtpu_venv.sh $(libtpu)) \
	  MILLRACE_CPU_PLUGINS=$$(ls -d $(CURDIR)/$(libtpu)/lib/python3*/site-packages/*/*/*cpu*.so \
	    $(CURDIR)/$(libtpu)/lib/python3*/site-packages/*/*cpu*.so | paste -sd:) \
	  build/bin/test_tpu

bench: build  ## measurements of this machine; against JAX too, where `make test-jax` has installed it
	@build/bin/millrace bench $(if $(wildcard $(jax)/requirements.txt),--peer '$(jax)/bin/python src/bench/jax_peer.py' \
	  --cpu-peer '$(jax)/bin/python src/bench/cpu_peer.py') \
	  $(if $(wildcard $(python)/millrace.txt),--door '$(python)/bin/python src/bench/door.py')

gallery: build  ## draw the pictures of docs/gallery anew
	@scripts/gallery.sh build/bin/millrace docs/gallery

format: setup  ## bring all C++ into the house's shape
	@scripts/format.sh

format-check: setup  ## fail where `make format` would change something
	@scripts/format.sh --check

test-asan: setup  ## all tests under AddressSanitizer and UndefinedBehaviorSanitizer, in build-asan
	@$(build_dir) asan all
	@$(asan_env) $(run_tests) build-asan

fuzz: setup  ## the fuzzers under the sanitizers, FUZZ_SECONDS long (default 120), in build-fuzz
	@scripts/setup.sh clang
	@scripts/fuzz.sh --jobs $(JOBS) --seconds $(FUZZ_SECONDS)

fuzz-slice: setup  ## two minutes of hostile input under the sanitizers, the same each time, in build-asan
	@$(build_dir) asan bin/test_fuzz
	@$(asan_env) $(run_tests) build-asan -R '^fuzz_slice_'

soak: setup  ## the long checks: a second compiler, sanitizers, installing, fuzzing; PARTS="..." picks some
	@scripts/setup.sh clang
	@scripts/soak.sh --jobs $(JOBS) $(PARTS)

install: setup  ## install under PREFIX (default /usr/local)
	@$(build_dir) release bin/millrace lib/libmillrace.so lib/libmillrace_c.so
	@cmake --install build --prefix "$(PREFIX)" >&2

clean:  ## remove every build folder
	@rm -rf build build-asan build-clang build-debug build-fuzz build-jax build-libtpu build-page \
	  build-perfetto build-python build-wheel
