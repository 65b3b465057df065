# `make chat` and `make test` need Python 3.11 or newer and a package index, nothing else.
PYTHON ?= python3
USER_ID ?= demo
VENV := .venv
BIN := $(VENV)/bin
CODE := graph nodes memory travel stores models prompts app text config

# uv installs in seconds what pip's resolver takes minutes for; where it can't be had, pip does the same.
# Bytecode is compiled here, so that the first command is as quick as the second.
define install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt uv \
		&& $(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode -c constraints.txt -e '$(1)' \
		|| $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '$(1)'
	$(BIN)/python -m compileall -q $(CODE)
	touch $@
endef

# Without bytecode every worker of a test run rewrites the assertions of every file anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: chat test test-random test-ahead test-fast soak eval train lint borders types house build graph docs bench dev studio clean

chat: $(VENV)/.chat
	@$(BIN)/concierge demo --user $(USER_ID)
	@$(BIN)/concierge chat --user $(USER_ID)

# Three at once on two cores: many tests wait for a server.
test: $(VENV)/.dev
	@sh tests/programs.sh
	$(BIN)/pytest -n 3 --dist worksteal -p no:randomly

# The same in an order of its own each time; the seed is printed.
test-random: $(VENV)/.dev
	@sh tests/programs.sh
	$(BIN)/pytest -n 2 --dist worksteal

# The same with the day of every Python process DAYS days on.
DAYS ?= 30
test-ahead: $(VENV)/.dev
	@sh tests/programs.sh
	DAYS_AHEAD=$(DAYS) PYTHONPATH=$(CURDIR)/tests/ahead $(BIN)/pytest -n 2 --dist worksteal -p no:randomly \
		-W "ignore:Module already imported"

# What needs no server, no build, no process of its own and no more than a moment.
test-fast: $(VENV)/.dev
	$(BIN)/pytest -n 2 --dist worksteal -m 'not soak and not slow' -p no:randomly

soak: $(VENV)/.dev
	$(BIN)/pytest -m soak --timeout 0 -o faulthandler_timeout=0

# How well memory does what it promises, and evals/report.md with every miss of what tunes.
eval: $(VENV)/.dev
	$(BIN)/python -m evals --report

# The learned weights of the repository, byte for byte from the texts in evals/training.
train: $(VENV)/.dev
	$(BIN)/python -m evals.training.durability
	$(BIN)/python -m evals.training.acts
	$(BIN)/python -m evals.training.kinds
	$(BIN)/python -m evals.training.injection

lint: $(VENV)/.dev borders
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# Which room imports from which: the contracts in pyproject.toml.
borders: $(VENV)/.dev
	$(BIN)/lint-imports --no-cache

# The size and shape of the code, in figures.
house: $(VENV)/.dev
	$(BIN)/python -m benchmarks.house

types: $(VENV)/.dev
	$(BIN)/mypy

build: $(VENV)/.dev
	rm -rf build
	$(BIN)/python -m build --outdir dist

graph: $(VENV)/.chat
	@mkdir -p docs
	$(BIN)/concierge graph > docs/graph.mmd

# What README.md, docs/ and .env.example show, made anew.
docs: graph
	$(BIN)/concierge settings --env > .env.example
	$(BIN)/python -m tests.readme

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks.prompt
	$(BIN)/python -m benchmarks.startup

dev: $(VENV)/.dev
	LANGSMITH_TRACING=false LANGGRAPH_CLI_NO_ANALYTICS=1 LANGGRAPH_NO_VERSION_CHECK=1 $(BIN)/langgraph dev --no-browser

# The same in LangGraph Studio, with a token for it.
studio: $(VENV)/.dev
	@echo "Give Studio this token as the header X-Api-Key of its connection:"
	@$(BIN)/concierge token --user $(USER_ID)
	CONCIERGE_ALLOWED_ORIGINS=https://smith.langchain.com LANGSMITH_TRACING=false LANGGRAPH_CLI_NO_ANALYTICS=1 \
		LANGGRAPH_NO_VERSION_CHECK=1 $(BIN)/langgraph dev

clean:
	rm -rf $(VENV) build dist *.egg-info .langgraph_api .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name it: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.chat: pyproject.toml constraints.txt | $(BIN)/python
	$(call install,.)

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(call install,.[dev])
	touch $(VENV)/.chat
