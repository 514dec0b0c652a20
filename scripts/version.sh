#!/usr/bin/env bash
# Prints the version of this tree: its tag, such as v0.1.0; else the last tag, the
# commits since and the commit's hash; else the hash alone. "-dirty" says that files
# differ from the commit. Prints nothing where git does not tell: the runner then knows
# what the go command stamped into it, or says "development".
cd "$(dirname "$0")/.." && git describe --tags --match 'v[0-9]*' --always --dirty 2>/dev/null || true
