#!/usr/bin/env bash
# Another party's client talks to `runner mcp` and to the handler of /mcp: the inspector of the
# Model Context Protocol, from npm, on its command line. It is 150 MB of other people's modules,
# so it is no part of `make test`, where the SDK's own client does the same.
# usage: scripts/test-mcp-inspector.sh   (as any user, with Node.js 20 or later and npm)
set -euo pipefail
cd "$(dirname "$0")/.."

version=2.12.0
sum=sha512-ppfN5+HnVWo6dY7jz5RMFUFTfEYPnFUjN3XN2w6PI6nmB/AFFXPGPfLBRvCeSx+qIH6kpi7Nsz5HYRp49loHpA==
for tool in node npm; do
	command -v "$tool" >/dev/null || { echo "test-mcp-inspector: $tool is missing (apt-get install nodejs npm)" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm install --prefix "$work" --no-audit --no-fund --ignore-scripts --loglevel error "@modelcontextprotocol/inspector@$version" >/dev/null
[ "$(node -p "require('$work/package-lock.json').packages['node_modules/@modelcontextprotocol/inspector'].integrity")" = "$sum" ] ||
	{ echo "test-mcp-inspector: npm gives another inspector $version than the one that is known here" >&2; exit 1; }
HOTCELL_INSPECTOR=$work/node_modules/.bin/mcp-inspector "${GO:-go}" test -count=1 -tags inspector -run '^TestMCPInspector$' ./cmd/runner
