#!/usr/bin/env bash
# Another party's tool checks what this runner has signed, with the public key alone. cosign
# is built from its Go module, which takes minutes, so that no other test does it.
# usage: scripts/test-cosign.sh RUN [STATE]   (a run that was signed, by its id)
set -euo pipefail

version=v2.6.5
run=$1
state=${2:-${HOTCELL_STATE:-/var/lib/hotcell}}
tools=${HOTCELL_TOOLS:-$(mktemp -d)}
[ -x "$tools/cosign" ] || GOBIN=$tools go install "github.com/sigstore/cosign/v2/cmd/cosign@$version"

check() {
  "$tools/cosign" verify-blob-attestation --key "$state/signing.key.pub" --signature "$state/runs/$run/statement.dsse.json" \
    --type slsaprovenance1 --insecure-ignore-tlog=true "$1" 2>&1
}

cd "$state/runs/$run"
find . -type f ! -name statement.dsse.json -print | while read -r file; do
  check "$file" | grep -qx 'Verified OK' || { echo "cosign does not accept $file"; exit 1; }
  echo "cosign accepts $file"
done
other=$(mktemp)
echo "not of this run" > "$other"
if check "$other" > /dev/null; then
  echo "cosign accepts a file that the run did not release"
  exit 1
fi
echo "cosign refuses a file that the run did not release"
