#!/bin/bash
# start-docker: Docker runs, and has the image: a first run copies it there, which takes
# minutes that no test's limits have.
set -euo pipefail
systemctl start containerd docker
runner run --engine docker --policy "$HOTCELL_TEST_PROBE" --allow-unguarded - <<<'print("Docker has the image")'
