#!/bin/bash
# gotest PACKAGE [FLAG ...]: a package's compiled tests, where its sources are. What
# they need and lack is a failure; a test that another kind of host has is skipped.
set -euo pipefail
package=$1
shift
cp -r --no-clobber /share/source /root/ # tests may write beside what they read
cd "/root/source/$package"
HOTCELL_REQUIRE_ALL=1 exec "/share/bin/$(basename "$package").test" -test.v -test.timeout=0 "$@"
