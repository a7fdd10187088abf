# The verbs of this project: make, make test, make lint, make bench, make docs. The same in CI.

VENV      := .venv
BIN       := $(VENV)/bin
SHELL     := bash
.SHELLFLAGS := -eu -o pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory

RUST  := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name Cargo.toml)
STORE ?= reports/records.sqlite

.PHONY: examine setup develop test core-tests test-tools test-long one slowest law figure experiment profile lint bench docs clean

# What a newcomer gets: everything set up, one virtual drive examined, the report's path. All commands that are
# started in this folder use the same store; make STORE=PATH takes another one.
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

# While working on the core: built again in seconds, with its assertions, at half the speed.
develop: $(VENV)/.run
	@VIRTUAL_ENV=$$PWD/$(VENV) $(BIN)/maturin develop --profile develop --quiet --skip-install > $(VENV)/build.log 2>&1 || { cat $(VENV)/build.log >&2; exit 1; }
	$(BIN)/python scripts/link-checkout.py
	rm -f $(VENV)/.core
	echo "built for development; make setup builds it for speed again"

# One thing while working:
#   make one TEST=tests/drives/test_file_drive.py     one test file, folder or name of a test
#   make law LAW=fifo                                 one law, measured
#   make figure FIGURE=F101                           one published figure, a drive or an experiment
#   make experiment EXPERIMENT=write-buffer [DRIVE=sim:onyx-32]
#   make profile [CASE=G1]                            where the core spends its instructions, by callgrind
#   make slowest                                      the tests, the 40 slowest named at the end
DRIVE ?= sim:onyx-32
CASE  ?=

one: $(VENV)/.develop
	@$(BIN)/python -m pytest -q $(if $(findstring /,$(TEST)),$(TEST),-k "$(TEST)")

law:
	@$(BIN)/flashscope reproduce laws --only $(LAW)

figure:
	@$(BIN)/flashscope reproduce figures --only $(FIGURE)

experiment:
	@$(BIN)/flashscope examine $(DRIVE) --only $(EXPERIMENT) --store $(STORE)

profile:
	@scripts/profile-core $(CASE)

slowest: setup $(VENV)/.develop
	@$(BIN)/python -m pytest -n 2 --dist loadfile -m "not long" -q --durations=40

# Five tests at a time also on two cores, since many wait for fio or a disk. Programs and packages are
# fetched while the tests of the core are built.
test: setup
	@$(MAKE) --jobs=3 $(VENV)/.develop core-tests test-tools
	cargo test --quiet
	$(BIN)/python -m pytest -n 5 --dist loadfile -m "not long"

# Each is done at the same time as the others: two of them wait for a network, one works.
core-tests:
	@cargo test --quiet --no-run

test-tools:
	@scripts/install-test-tools

# Hundreds of tests start the command, and each worker imports all tests: neither is compiled each time, also where the
# environment (of a container, say) tells Python to keep no byte code.
test test-long slowest: export PYTHONDONTWRITEBYTECODE :=

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

# All cases of the core in four minutes; CASE=G1 runs one, CASE=sizes a group, JSON=1 prints for machines.
# CASE=programs times whole commands instead; PROGRAM=examine one of them, OTHER=PATH in turns with another checkout.
bench: $(if $(filter programs,$(CASE)),setup)
	@$(if $(filter programs,$(CASE)),$(BIN)/python scripts/time-programs.py $(if $(JSON),--json) $(if $(OTHER),--other "$(OTHER)") $(PROGRAM),cargo run --quiet --release --package flashscope-benches -- $(if $(JSON),--json) $(CASE))

# The pages under docs/ that hold generated tables, written again.
docs: setup
	@$(BIN)/python scripts/write-vocabulary.py
	$(BIN)/python scripts/write-docs.py

clean:
	rm -rf target $(VENV) reports .pytest_cache .mypy_cache .ruff_cache
