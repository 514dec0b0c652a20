#!/usr/bin/env bash
# What others' programs say of a crate that `runner records export --format ro-crate` has made:
# its bag is checked by GNU's sha512sum, and by bagit.py and the profile's own validator where
# they are installed (pip install bagit roc-validator). Ends with 1 where one of them refuses.
# usage: scripts/check-crate.sh FILE.zip
set -euo pipefail

crate=$(readlink -f "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m zipfile -e "$crate" "$dir"
bag=$(echo "$dir"/*)
[ -d "$bag" ] || { echo "not one directory at the top"; exit 1; }

cd "$bag"
sha512sum --quiet --strict --check tagmanifest-sha512.txt
# A name with a percent sign stands otherwise in a manifest.
sed 's/%25/%/g' manifest-sha512.txt | sha512sum --quiet --strict --check -
echo "sha512sum accepts the bag"

if python3 -c 'import bagit' 2>/dev/null; then
  python3 -m bagit --validate --quiet "$bag"
  echo "bagit.py accepts the bag"
else
  echo "bagit.py is not installed: not asked"
fi
if command -v rocrate-validator >/dev/null; then
  rocrate-validator validate --no-interactive --profile-identifier five-safes-crate --requirement-severity REQUIRED "$bag/data"
  echo "rocrate-validator accepts the crate"
else
  echo "rocrate-validator is not installed: not asked"
fi
