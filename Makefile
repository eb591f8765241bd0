.PHONY: install run test check bench fuzz package

PYTHON_FILES := annotator tests packaging
INSTALL_INPUTS := pyproject.toml packaging/constraints.txt packaging/install packaging/find-python \
	packaging/system-check annotator/system_libraries.py resources/system_libraries.toml

# Make .venv with .venv/bin/annotator in it.
install: .venv/.installed

.venv/.installed: $(INSTALL_INPUTS)
	@sh packaging/install

# Open the program on its demo project.
run: install
	@.venv/bin/python packaging/system-check
	@.venv/bin/annotator demo

# Run the tests; continuous integration runs this very target.
test: install
	@.venv/bin/python -m pytest -n logical --maxprocesses 2 --dist worksteal

# Everything that must be clean before a change is handed in.
check: install
	.venv/bin/ruff format --check $(PYTHON_FILES)
	.venv/bin/ruff check $(PYTHON_FILES)
	.venv/bin/mypy
	.venv/bin/lint-imports
	.venv/bin/python packaging/translations.py --check
	.venv/bin/python -m tests.fuzz --seconds 60
	.venv/bin/python -m pytest -n logical --maxprocesses 2 --dist worksteal

# Measure speed and accuracy; slow, and worth reading only on a quiet machine.
bench: install .venv/.readers
	@.venv/bin/python -m tests.benchmarks

# The readers that the media benchmark compares with; large, and nothing else wants them.
.venv/.readers: pyproject.toml
	@echo "Installing the readers to compare with into .venv (a few minutes, once)"
	@if .venv/bin/python -m pip install --quiet --disable-pip-version-check \
		--constraint packaging/constraints.txt --editable '.[dev,bench]'; \
	then touch $@; else echo "They cannot be installed here: the comparison leaves them out."; fi

# Damage files at random for an hour, and look whether every reader copes.
fuzz: install
	@.venv/bin/python -m tests.fuzz --seconds 3600

# Build a wheel and a source archive, and a stand-alone folder when PyInstaller is installed.
package: install
	@.venv/bin/python packaging/build.py
