# The verbs of this project: make, make test, make lint, make bench, make docs. The same in CI.

VENV      := .venv
BIN       := $(VENV)/bin
SHELL     := bash
.SHELLFLAGS := -eu -o pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory

RUST  := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name Cargo.toml)
STORE := reports/records.sqlite

.PHONY: examine setup test test-long lint bench docs clean

# What a newcomer gets: everything set up, one virtual drive examined, the report's path.
examine: setup
	@$(BIN)/flashscope examine sim:onyx-32 --store $(STORE)

setup: $(VENV)/.core

# Pinned versions, without hashes of one platform only: the lock files say which.
$(VENV)/.run: requirements/run.lock
	@python=$$(scripts/find-tools)
	[ -x $(BIN)/python ] || "$$python" -m venv $(VENV) || { echo "flashscope: python's venv module is missing; install it with: apt-get install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements/run.lock
	touch $@

$(VENV)/.core: $(VENV)/.run $(RUST) pyproject.toml
	@scripts/find-tools >/dev/null
	echo "building the core (about a minute the first time)"
	VIRTUAL_ENV=$$PWD/$(VENV) $(BIN)/maturin develop --release --quiet --skip-install > $(VENV)/build.log 2>&1 || { cat $(VENV)/build.log >&2; exit 1; }
	$(BIN)/python scripts/link-checkout.py
	touch $@

$(VENV)/.develop: $(VENV)/.run requirements/develop.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements/develop.lock
	touch $@

test: setup $(VENV)/.develop
	@scripts/install-test-tools
	cargo test --quiet
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not long"

# Everything, the suites of many minutes included.
test-long: setup $(VENV)/.develop
	@scripts/install-test-tools
	cargo test --quiet --release -- --include-ignored
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: setup $(VENV)/.develop
	@cargo fmt --all --check
	PYO3_PYTHON=$$PWD/$(BIN)/python cargo clippy --quiet --workspace --all-targets -- --deny warnings
	$(BIN)/ruff check src tests scripts
	$(BIN)/ruff format --check --quiet src tests scripts
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# All cases in four minutes; CASE=G1 runs one, CASE=sizes a group, JSON=1 prints for machines.
bench:
	@cargo run --quiet --release --package flashscope-benches -- $(if $(JSON),--json) $(CASE)

# The pages under docs/ that hold generated tables, written again.
docs: setup
	@$(BIN)/python scripts/write-docs.py

clean:
	rm -rf target $(VENV) reports .pytest_cache .mypy_cache .ruff_cache
