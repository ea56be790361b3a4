# Everything sets itself up in .venv from the hash-pinned files in requirements/; only torch is the machine's own.
PYTHON ?= python3
# What the tests cover: the base, tui, web and rl extras, or with EXTRAS=all every extra there is, and the site.
EXTRAS ?=
ifneq ($(filter-out all,$(EXTRAS)),)
$(error EXTRAS=$(EXTRAS): must be all, or left out)
endif
VENV := .venv
BIN := $(VENV)/bin
SITE_MODULES := site/node_modules/.package-lock.json
TESTED := $(if $(EXTRAS),$(VENV)/site.done $(SITE_MODULES),$(VENV)/test.done)
export PERFECTPLAY_EXTRAS := $(EXTRAS)
# Two more than there are cores, because many tests wait; at most 10, because each process may start a server and a browser.
WORKERS ?= $(shell cores=$$(getconf _NPROCESSORS_ONLN); echo $$((cores < 8 ? cores + 2 : 10)))
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# What installs into an environment, $(1). UV is the program of that name: it takes a tenth of the processor time of pip.
UV ?=
install = $(if $(UV),$(UV) pip install --quiet --python $(1)/bin/python,$(1)/bin/python -m pip --disable-pip-version-check --quiet install)
# The lists are complete: nothing has to be resolved.
install_list = $(call install,$(1)) --no-deps --require-hashes
# Ours, and the packages that come with it in a clone.
BESIDE := packages/perfectplay-foreign packages/perfectplay-mcp packages/perfectplay-notebook packages/perfectplay-server
PROJECTS := pyproject.toml $(BESIDE:%=%/pyproject.toml)
EDITABLE := --no-deps --no-build-isolation -e . $(BESIDE:%=-e %)
# What the tests use is compiled on all cores at once, without large parts that nothing here imports.
UNUSED := /site-packages/(boto3|botocore|debugpy|jedi|libcst|mypyc?|open_spiel|openai|pip|pkg_resources|pygments/lexers|ray|setuptools)/|/tests?/
COMPILE := $(BIN)/python -m compileall -qq -j 0 -x '$(UNUSED)' $(VENV)/lib src packages || true
PYTHON_IS_NEW = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
  { echo "perfectplay needs Python 3.11 or newer: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 2; }
NODE_IS_NEW := const [major, minor] = process.versions.node.split('.'); process.exit(major * 100 + Number(minor) < 1819 ? 1 : 0)
UV_COMPILE := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --quiet

.PHONY: play serve test check check-js pytest wheel-test test-firefox test-packages bench bench-foreign bench-site bench-solve bench-peers bench-web bench-web-peer study-gg-bench study-learning example-sb3 mutants site site-serve golden screenshots requirements clean

play: $(VENV)/play.done
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/perfectplay; else $(BIN)/perfectplay demo; fi

# SERVE has options, as in: make serve SERVE='--port 9000'
serve: $(VENV)/web.done
	@$(BIN)/perfectplay serve $(SERVE)

# The checks need less than the tests, so they run while the rest is installed.
test:
	@$(MAKE) --no-print-directory --jobs=2 check pytest wheel-test

check: $(VENV)/test.done check-js
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/lint-imports --config packages/importlinter.toml

# The JavaScript of the pages, which are sent as they are: its types, a linter, and tests of what needs no browser.
check-js:
	@if command -v npm >/dev/null && node --eval "$(NODE_IS_NEW)" 2>/dev/null; then \
	  $(MAKE) --no-print-directory node_modules/.package-lock.json && npm run --silent check; \
	else \
	  echo "JavaScript was not checked: that needs node 18.19 or newer, and npm (apt-get install nodejs npm)"; \
	  test -z "$(EXTRAS)"; \
	fi

pytest: $(TESTED)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# What is tested on the source is not tested again: the wheels have every file, and start.
wheel-test: $(TESTED)
	rm -rf build/wheel build/site build/beside
	$(PIP) wheel --no-deps --no-build-isolation --wheel-dir build/wheel . $(BESIDE:%=./%)
	$(PIP) install --no-deps --target build/site build/wheel/perfectplay-*.whl
	$(PIP) install --no-deps --target build/beside build/wheel/perfectplay_*.whl
	PYTHONPATH=$(CURDIR)/build/site:$(CURDIR)/build/beside PERFECTPLAY_FROM=build/site $(BIN)/python -m pytest tests/wheel_smoke.py

# Not part of `make test`: a whole game of each kind in Debian's Firefox ESR. A few minutes.
test-firefox:
	@command -v firefox-esr >/dev/null || { echo "Firefox ESR is not installed: apt-get install firefox-esr"; exit 2; }
	@$(MAKE) --no-print-directory .venv-firefox/done
	.venv-firefox/bin/python -m pytest tests/web/pages/firefox_games.py

# Each package beside ours has its own environment, because their pins and ours exclude each other; it is tested as the wheel that
# others install. A gigabyte in all. Then all hosts are compared, game by game, and the examples for two more hosts are tried.
test-packages: $(VENV)/all.done
	@$(MAKE) --no-print-directory --jobs=2 test-package-openenv test-package-verifiers $(VENV)/hosts.done
	PERFECTPLAY_PACKAGES=1 $(BIN)/python -m pytest tests/evals/test_every_host.py tests/evals/test_hosts.py

test-package-%: .venv-%/done
	PYTHONPATH=$(CURDIR) .venv-$*/bin/python -m pytest -q -o addopts= -p no:cacheprovider --rootdir packages/perfectplay-$* \
	  --confcutdir packages/perfectplay-$* packages/perfectplay-$*

# Peers are installed for the benchmarks only, in environments of their own.
bench: .venv-bench/done
	.venv-bench/bin/python -m bench
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory bench-site; else echo "The site was not measured: that needs node and npm"; fi

# The site from an empty browser profile, with nothing else running.
bench-site: site $(VENV)/all.done
	$(BIN)/python -m bench.site $(SITE)

# Large games by their rules on arrays: a minute.
bench-solve: $(VENV)/test.done
	$(BIN)/python -m bench.large

bench-peers: .venv-peers/done
	.venv-peers/bin/python -m bench.peers

# A server and its players, two processes that want a core each: five minutes.
bench-web: $(VENV)/web.done
	$(BIN)/python -m bench.web

# The same moves on this server and on boardgame.io, one after the other: two minutes.
bench-web-peer: $(VENV)/web.done bench/boardgame_io/node_modules/.package-lock.json
	$(BIN)/python -m bench.web_peer

# ENVS is a folder or a pattern: make bench-foreign ENVS=../envs
bench-foreign: $(VENV)/test.done
	$(BIN)/python -m bench.foreign $(ENVS)

# The study of a copy of gg-bench, on two cores; STUDY has options, as in: STUDY='--on ray'. A run that was stopped continues.
study-gg-bench: $(VENV)/test.done
	@test -n "$(GG_BENCH)" || { echo "GG_BENCH is the folder of a copy: make study-gg-bench GG_BENCH=../gg-bench"; exit 2; }
	$(BIN)/python -m studies.gg_bench $(GG_BENCH) $(STUDY)

# All learners on all games, with exact curves; STUDY has options, as in: STUDY='--processes 8'. A run that was stopped continues.
study-learning: $(VENV)/all.done
	$(BIN)/python -m studies.learning build/learning --gather $(STUDY)

# Trains an agent of stable-baselines3 and says how far it is from perfect play.
example-sb3: .venv-sb3/done
	.venv-sb3/bin/python examples/train_sb3.py

mutants: $(VENV)/mutants.done
	$(BIN)/python -m tools.mutants

# The pictures of the web pages, of notebooks and of the full screen in docs/; the first two need Chromium.
screenshots: site $(VENV)/all.done
	$(BIN)/python -m tools.terminal_pictures
	$(BIN)/python -m tools.notebook_pictures
	$(BIN)/python -m tools.screenshots
	$(BIN)/python -m tools.site_pictures $(SITE)
	$(BIN)/python -m tools.workbench_pictures $(SITE)

golden: $(VENV)/test.done
	$(BIN)/python -m tools.golden
	$(BIN)/python -m tools.environments
	$(BIN)/python -m tools.api_types
	$(BIN)/python -m tools.options_table
	$(BIN)/python -m tools.module_map

# The documentation, the games and the workbench as plain files: Python, node and npm are needed to build them. SITE_URL says where they
# will be, REPOSITORY what visitors can clone, as in: make site SITE_URL=https://example.org/games/ REPOSITORY=https://example.org/games.git
# Sphinx imports what it documents, so some extras are needed too, but less than half of what the tests install.
SITE := build/docs-site
site: .venv-site/done $(SITE_MODULES)
	.venv-site/bin/python -m tools.site $(SITE)

# PORT and UNDER, a path, say where the site is shown, as in: make site-serve PORT=9000 UNDER=games
site-serve: .venv-site/done $(SITE_MODULES)
	@.venv-site/bin/python -m tools.site.serve $(SITE)

requirements: $(VENV)/made
	$(call install_list,$(VENV)) -r requirements/uv.txt
	$(UV_COMPILE) requirements/uv.in -o requirements/uv.txt
	$(UV_COMPILE) requirements/build.in -o requirements/build.txt
	$(UV_COMPILE) pyproject.toml --extra tui -o requirements/play.txt
	$(UV_COMPILE) pyproject.toml --extra tui --extra web -c requirements/play.txt -o requirements/web.txt
	$(UV_COMPILE) pyproject.toml --extra rl --extra tui --extra web requirements/test.in -c requirements/web.txt -o requirements/test.txt
	$(UV_COMPILE) pyproject.toml --all-extras requirements/test.in requirements/all.in \
	  -c requirements/test.txt -o requirements/all.txt
	$(UV_COMPILE) requirements/site.in -c requirements/all.txt -o requirements/site.txt
	$(UV_COMPILE) pyproject.toml --extra jax --extra notebook --extra openspiel --extra web requirements/site.in \
	  -c requirements/all.txt -c requirements/site.txt -o requirements/site-build.txt
	$(UV_COMPILE) pyproject.toml --extra web requirements/firefox.in -c requirements/web.txt -o requirements/firefox.txt
	$(UV_COMPILE) pyproject.toml --extra tui --extra evals --extra jax --extra mcp requirements/bench.in -c requirements/all.txt -o requirements/bench.txt
	$(UV_COMPILE) pyproject.toml --extra rl --extra jax --extra openspiel \
	  -c requirements/all.txt -o requirements/peers.txt
	$(UV_COMPILE) pyproject.toml --extra rl requirements/sb3.in --override requirements/sb3-without.in \
	  -c requirements/all.txt -o requirements/sb3.txt
	$(UV_COMPILE) requirements/hosts-build.in -o requirements/hosts-build.txt
	$(UV_COMPILE) requirements/hosts.in -c requirements/all.txt -o requirements/hosts.txt
	$(UV_COMPILE) requirements/mutants.in -c requirements/test.txt -o requirements/mutants.txt
	for list in packages/*/requirements.in; do $(UV_COMPILE) $$list -c requirements/play.txt -o $${list%.in}.txt; done

node_modules/.package-lock.json: package-lock.json .npmrc
	npm ci
	@touch $@

$(SITE_MODULES): site/package-lock.json site/.npmrc
	@command -v npm >/dev/null && node --eval "$(NODE_IS_NEW)" || \
	  { echo "The site is built with node 18.19 or newer, and npm (apt-get install nodejs npm)"; exit 2; }
	npm ci --prefix site
	@touch $@

bench/boardgame_io/node_modules/.package-lock.json: bench/boardgame_io/package-lock.json bench/boardgame_io/.npmrc
	npm ci --prefix bench/boardgame_io
	@touch $@

$(VENV)/made:
	@$(PYTHON_IS_NEW)
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/play.done: $(VENV)/made requirements/build.txt requirements/play.txt $(PROJECTS)
	$(call install_list,$(VENV)) -r requirements/build.txt -r requirements/play.txt
	$(call install,$(VENV)) $(EDITABLE)
	@touch $@

$(VENV)/web.done: $(VENV)/play.done requirements/web.txt
	$(call install_list,$(VENV)) -r requirements/web.txt
	@touch $@

$(VENV)/test.done: $(VENV)/play.done requirements/test.txt
	$(call install_list,$(VENV)) --no-compile -r requirements/test.txt
	$(COMPILE)
	@touch $@

$(VENV)/all.done: $(VENV)/test.done requirements/all.txt
	$(call install_list,$(VENV)) --no-compile -r requirements/all.txt
	@touch $@

$(VENV)/site.done: $(VENV)/all.done requirements/site.txt
	$(call install_list,$(VENV)) --no-compile -r requirements/site.txt
	$(COMPILE)
	@touch $@

# Their pins and ours agree, so only what is missing is installed: 26 packages, none with a build of torch.
$(VENV)/hosts.done: $(VENV)/all.done requirements/hosts-build.txt requirements/hosts.txt
	$(call install_list,$(VENV)) -r requirements/hosts-build.txt
	$(call install_list,$(VENV)) --no-build-isolation --no-compile -r requirements/hosts.txt
	@touch $@

$(VENV)/mutants.done: $(VENV)/test.done requirements/mutants.txt
	$(call install_list,$(VENV)) -r requirements/mutants.txt
	@touch $@

.venv-bench/done: requirements/build.txt requirements/bench.txt $(PROJECTS)
	$(PYTHON) -m venv .venv-bench
	$(call install_list,.venv-bench) -r requirements/build.txt -r requirements/bench.txt
	$(call install,.venv-bench) $(EDITABLE)
	@touch $@

.venv-site/done: requirements/build.txt requirements/site-build.txt $(PROJECTS)
	@$(PYTHON_IS_NEW)
	$(PYTHON) -m venv .venv-site
	$(call install_list,.venv-site) --no-compile -r requirements/build.txt -r requirements/site-build.txt
	$(call install,.venv-site) $(EDITABLE)
	@touch $@

.venv-firefox/done: requirements/build.txt requirements/firefox.txt $(PROJECTS)
	$(PYTHON) -m venv .venv-firefox
	$(call install_list,.venv-firefox) -r requirements/build.txt -r requirements/firefox.txt
	$(call install,.venv-firefox) $(EDITABLE)
	@touch $@

.SECONDARY: .venv-openenv/done .venv-verifiers/done
.venv-%/done: packages/perfectplay-%/requirements.txt packages/perfectplay-%/pyproject.toml requirements/build.txt pyproject.toml
	@$(PYTHON_IS_NEW)
	$(PYTHON) -m venv .venv-$*
	$(call install_list,.venv-$*) --no-compile -r requirements/build.txt -r packages/perfectplay-$*/requirements.txt
	$(call install,.venv-$*) --no-deps --no-build-isolation . ./packages/perfectplay-$*
	@touch $@

.venv-peers/done: requirements/build.txt requirements/peers.txt $(PROJECTS)
	$(PYTHON) -m venv .venv-peers
	$(call install_list,.venv-peers) -r requirements/build.txt -r requirements/peers.txt
	$(call install,.venv-peers) $(EDITABLE)
	@touch $@

# A build of torch for the CPU is enough; where the index offers several, TORCH says which, as pip takes it.
TORCH ?= torch==2.13.0
.venv-sb3/done: requirements/build.txt requirements/sb3.txt $(PROJECTS)
	$(PYTHON) -m venv .venv-sb3
	$(call install,.venv-sb3) $(TORCH)
	$(call install_list,.venv-sb3) -r requirements/build.txt -r requirements/sb3.txt
	$(call install,.venv-sb3) $(EDITABLE)
	@touch $@

clean:
	rm -rf $(VENV) .venv-bench .venv-firefox .venv-openenv .venv-peers .venv-sb3 .venv-site .venv-verifiers node_modules bench/boardgame_io/node_modules site/node_modules build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
