#!/usr/bin/env bash
# Another party's tool checks what this runner has signed, with the public key alone: the
# statements about a run, about a release and about a bundle, each made here with a key of its
# own. cosign is built from its Go module, which takes minutes of both processors (HOTCELL_TOOLS
# keeps it), so it is no part of `make test`: there openssl checks the same: run_statements.txtar.
# usage: scripts/test-cosign.sh   (as root, with the image: `make test-cosign` sees to that)
set -euo pipefail
cd "$(dirname "$0")/.."

version=v2.6.5
images=${HOTCELL_TEST_IMAGE:-${HOTCELL_STATE:-/var/lib/hotcell}/images}
work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
tools=${HOTCELL_TOOLS:-$work/tools}
[ -x "$tools/cosign" ] || GOBIN=$tools "${GO:-go}" install "github.com/sigstore/cosign/v2/cmd/cosign@$version"
"${GO:-go}" build -o "$work/runner" ./cmd/runner

export HOTCELL_STATE=$work/state
unset HOTCELL_SIGN_KEY
mkdir -m 700 "$HOTCELL_STATE"
ln -s "$(readlink -f "$images")" "$HOTCELL_STATE/images"
cd "$work"
cat > means.py << 'END'
heart_transplant.groupby("censors")["age"].mean().to_csv("means.csv")
END
{
  ./runner keygen
  ./runner bundle sample data
  ./runner bundle add data
  ./runner bundle sign public-health --key state/signing.key
  ./runner run --policy study-analysis --bundle public-health --output out means.py
  ./runner records export out/means.csv evidence
  ./runner records release out/means.csv --to released --reason "a test" --accept-findings
} > said 2>&1 || { cat said; exit 1; }

# verify STATEMENT TYPE FILE
verify() {
  "$tools/cosign" verify-blob-attestation --key state/signing.key.pub --signature "$1" --type "$2" --insecure-ignore-tlog=true "$3" 2>&1
}

# check STATEMENT TYPE FILE: cosign accepts the file, and no other.
check() {
  verify "$@" | grep -qx 'Verified OK' || { echo "cosign does not accept ${3#"$work"/}"; exit 1; }
  if verify "$1" "$2" means.py > said; then echo "cosign accepts a file of which $1 does not speak"; exit 1; fi
  grep -q 'no matching subject digest found' said || { cat said; exit 1; }
  echo "cosign accepts $3"
}

for file in evidence/record.json evidence/run_*.py evidence/files/means.csv; do
  check evidence/statement.dsse.json slsaprovenance1 "$file"
done
check released/release.dsse.json urn:hotcell:release:v1 released/means.csv
for signature in state/bundles/signature-*.dsse.json; do
  check "$signature" urn:hotcell:attestation:v1 state/bundles/sha256-*/bundle.json
done
