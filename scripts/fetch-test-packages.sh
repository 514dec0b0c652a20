#!/usr/bin/env bash
# Fetches what tests and checks the guard (Hypothesis, coverage, mypy, pylint) for the
# image's Python (Debian trixie) into a cache and prints the directory to import it
# from. The image itself holds none of it.
set -euo pipefail

packages=(
	pylint python3-astroid python3-isort python3-dill python3-platformdirs python3-tomlkit
	python3-hypothesis python3-sortedcontainers python3-attr python3-coverage
	python3-mypy python3-mypy-extensions python3-typing-extensions python3-psutil
)
cache=$("$(dirname "${BASH_SOURCE[0]}")/fetch-packages.sh" test-packages trixie "$(dpkg --print-architecture)" "${packages[@]}")
echo "$cache/usr/lib/python3/dist-packages"
