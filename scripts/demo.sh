#!/usr/bin/env bash
# The main job from start to end: sample bundle, analysis, verified output.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '\n$ %s\n' "$*" >&2; "$@"; }

mkdir -p demo
rm -rf demo/public-health # an older runner may have made it, in an older format
say bin/runner bundle sample demo/public-health
say bin/runner bundle add demo/public-health
rm -rf demo/out
say bin/runner run --policy study-analysis --bundle public-health --output demo/out examples/analysis.py
echo >&2
echo "The verified files are in demo/out; open demo/out/survival.png." >&2
