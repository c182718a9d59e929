# Each command sets up all that it needs in .venv; PYTHON=/path/to/python3 chooses the interpreter.
.PHONY: picture bench demo test slow crash lint types contracts unit format reference wheel peers clean venv
.NOTPARALLEL:

demo: venv
	.venv/bin/nodwyn demo

test: lint types contracts unit

slow: venv
	.venv/bin/pytest -m slow

CRASH = tests/prims/log tests/interp

crash: venv
	.venv/bin/pytest -n auto -m slow $(CRASH) || .venv/bin/pytest -m slow $(CRASH) --last-failed --last-failed-no-failures none

# TARGET=reader SECONDS=1200 SEED=7 run one for longer, or another way; docs/testing.md names them.
fuzz: venv
	.venv/bin/python bench/fuzz/run.py $(or $(TARGET),all) --seconds $(or $(SECONDS),60) --seed $(or $(SEED),1)

lint: venv
	.venv/bin/ruff check
	.venv/bin/ruff format --check

types: venv
	.venv/bin/mypy

contracts: venv
	.venv/bin/lint-imports

# Side by side, tests share a clock and a collector: one that fails so has to pass by itself; of crash, too.
unit: venv
	.venv/bin/pytest -n auto -m "not slow" || .venv/bin/pytest -m "not slow" --last-failed --last-failed-no-failures none

format: venv
	.venv/bin/ruff check --fix
	.venv/bin/ruff format

reference: venv
	.venv/bin/python docs/reference.py
	.venv/bin/python docs/libraries.py

# setuptools takes modules from a build folder that is there, deleted ones too.
wheel: venv
	rm -rf build
	.venv/bin/python -m pip wheel --no-deps --wheel-dir dist .
	rm -rf build

# The picture of the README, from a real run.
picture: venv
	.venv/bin/python docs/picture.py

# Every figure of docs/performance.md, in less than ten minutes on a quiet machine.
bench: venv
	.venv/bin/python bench/all.py

# A real model does a real task; builds a server and puts a model together outside of the repository, once.
peers: venv
	.venv/bin/python bench/providers/peers.py

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

venv:
	@.ci/venv
