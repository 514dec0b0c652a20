#!/usr/bin/env bash
# Fetches what tests and checks the guard (Hypothesis, coverage, mypy, flake8, isort,
# pylint) for the image's Python (Debian trixie) into a cache and prints the directory
# to import it from. The image itself holds none of it.
set -euo pipefail

packages=(
	pylint python3-astroid python3-isort python3-dill python3-platformdirs python3-tomlkit
	python3-flake8 python3-pycodestyle python3-pyflakes python3-mccabe python3-pep8-naming python3-flake8-builtins
	python3-flake8-comprehensions python3-flake8-mutable python3-flake8-noqa python3-flake8-docstrings python3-pydocstyle
	python3-snowballstemmer
	python3-hypothesis python3-sortedcontainers python3-attr python3-coverage
	python3-mypy python3-mypy-extensions python3-typing-extensions python3-psutil
)
cache=$("$(dirname "${BASH_SOURCE[0]}")/fetch-packages.sh" test-packages trixie "$(dpkg --print-architecture)" "${packages[@]}")
echo "$cache/usr/lib/python3/dist-packages"
