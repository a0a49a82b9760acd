# Everything a developer needs; `make` alone prints the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
# The default build of torch on Linux x86-64 brings several GB of CUDA. Override for another one, e.g.
#   make demo TORCH="torch --index-url <the CPU index of your choice>"
TORCH ?= torch==2.13.0
PORT ?= 8000
SITE ?=

BIN := .venv/bin
STAMPS := .make
EXAMPLE := examples/site
VITEPRESS := tests/fixtures/sources/vitepress
export HF_HUB_OFFLINE ?= 1
export OMP_NUM_THREADS ?= 2
export PINCITE_COMMAND := $(abspath $(BIN)/pincite)

python_sources := $(shell find indexer server -name '*.py' -o -name '*.sql')
plugin_sources := $(shell find docusaurus-plugin/src docusaurus-plugin/scripts -type f) docusaurus-plugin/package.json
widget_sources := $(shell find widget/src -type f) widget/build.js widget/package.json
widget_dist := $(shell find widget/dist -type f)
site_sources := $(shell find $(EXAMPLE) \( -name node_modules -o -name build -o -name .docusaurus \) -prune -o -type f -print)

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

.PHONY: test
test: test-python test-widget test-plugin test-e2e ## Install what is needed and run every test

.PHONY: test-python
test-python: $(STAMPS)/dev $(STAMPS)/vitepress ## Run the Python tests that need no browser
	$(BIN)/pytest tests/unit tests/integration

.PHONY: test-widget
test-widget: $(STAMPS)/widget ## Run the widget's tests, those in a real browser included
	cd widget && npm test --silent && npm run --silent types && npm run --silent test:browser

.PHONY: test-plugin
test-plugin: $(STAMPS)/plugin $(STAMPS)/dev ## Run the Docusaurus plugin's tests on real builds
	cd docusaurus-plugin && npm test --silent && npm run --silent types && npm run --silent test:browser

.PHONY: test-e2e
test-e2e: $(STAMPS)/dev $(STAMPS)/site $(STAMPS)/widget $(STAMPS)/vitepress ## Run the end-to-end tests: real sites, real sidecar, real browser
	$(BIN)/pytest tests/e2e

.PHONY: test-all
test-all: test ## Run the slow matrices as well: the plugin under Docusaurus 3.8 to 3.10, both bundlers, and on a fresh site
	cd docusaurus-plugin && npm run --silent test:all

.PHONY: fmt
fmt: $(STAMPS)/dev ## Format the Python code
	$(BIN)/ruff format indexer server tests bench
	$(BIN)/ruff check --fix-only indexer server tests bench

.PHONY: lint
lint: $(STAMPS)/dev $(STAMPS)/widget $(STAMPS)/plugin ## Check style and types of every part
	$(BIN)/ruff format --check indexer server tests bench
	$(BIN)/ruff check indexer server tests bench
	$(BIN)/mypy
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

.PHONY: clean
clean: ## Remove what was built and installed here
	rm -rf $(STAMPS) .venv $(EXAMPLE)/{build,.docusaurus,node_modules} {widget,docusaurus-plugin,$(VITEPRESS)}/node_modules

# -- what the targets above stand on; a stamp is renewed when its inputs change ------------------------------------

$(BIN)/python:
	$(PYTHON) -m venv .venv

$(STAMPS)/torch: | $(BIN)/python
	@mkdir -p $(STAMPS)
	$(BIN)/pip install --quiet $(TORCH)
	@touch $@

$(STAMPS)/python: pyproject.toml $(STAMPS)/torch
	$(BIN)/pip install --quiet -e '.[index,serve,offline]'
	@touch $@

$(STAMPS)/dev: pyproject.toml $(STAMPS)/python
	$(BIN)/pip install --quiet -e '.[dev]'
	@touch $@

$(STAMPS)/bench: pyproject.toml $(STAMPS)/dev
	$(BIN)/pip install --quiet -e '.[bench]'
	@touch $@

$(STAMPS)/widget: widget/package-lock.json | $(STAMPS)/torch
	cd widget && npm ci --silent
	@touch $@

$(STAMPS)/plugin: docusaurus-plugin/package-lock.json $(plugin_sources) $(widget_dist) | $(STAMPS)/torch
	cd docusaurus-plugin && if [ package-lock.json -nt node_modules/.package-lock.json ]; \
	  then npm ci --silent; else npm run --silent prepare; fi
	@touch $@

$(STAMPS)/vitepress: $(VITEPRESS)/package-lock.json | $(STAMPS)/torch
	cd $(VITEPRESS) && npm ci --silent
	@touch $@

$(STAMPS)/site-packages: $(EXAMPLE)/package-lock.json $(plugin_sources) $(widget_dist) | $(STAMPS)/torch
	cd $(EXAMPLE) && npm ci --silent
	@touch $@

$(STAMPS)/site: $(STAMPS)/python $(STAMPS)/site-packages $(site_sources) $(python_sources)
	cd $(EXAMPLE) && npm run build
	@touch $@
