# shellcheck shell=bash
# Snakemake: the page's workflow, in anna's directory. Sourced by stage.sh.

# run WHAT WANT STATUS SCRIPT [FLAG]: Snakemake's own exit code, and what analysis.json says. Of each
# workflow there is one run: nothing but 125 is tried again.
run() {
	local what=$1 want=$2 status=$3 code=0 before
	before=$(runs)
	cp "$4" analysis.py
	as anna snakemake --cores 2 ${5:+--config flags="$5"} || code=$?
	expect "$what: Snakemake's exit code" "$want" "$code"
	expect "$what: the answer, which Snakemake keeps" "$status" "$(jq -r '"\(.status) \(.exit_code)"' analysis.json)"
	expect "$what: runs" 1 "$(($(runs) - before))"
	[ "$want" = 0 ] || [ ! -e released ] || fail "$what: files of an earlier run are left"
}

bad_scripts
cp analysis.py good.py
run 'a good run' 0 'succeeded 0' good.py
files result.json released .snakemake_timestamp
[ -s report.txt ] || fail "the next rule had nothing to read"
run 'a refused script' 1 'rejected 3' refused.py
run 'a script that raises' 1 'failed 1' failing.py
run 'over its limit' 1 'timed_out 4' endless.py '--timeout 2s'

# Three attempts at 125, under one key; then the workflow ends.
cp good.py analysis.py
mkdir fake
printf '#!/bin/sh\necho "$*" >>asked\necho "{}"\nexit 125\n' >fake/runner
chmod -R a+rx fake
chmod a+w .
code=0
as anna env PATH="$PWD/fake:$PATH" RETRY_125_PAUSE=0 snakemake --cores 2 || code=$?
expect 'a host that fails' "1 3 1" "$code $(wc -l <asked) $(sort -u asked | wc -l)"
# One that is well again at the second attempt.
printf '#!/bin/sh\n[ -e again ] && exec "%s/bin/runner" "$@"\ntouch again\nexit 125\n' "$SITE" >fake/runner
as anna env PATH="$PWD/fake:$PATH" RETRY_125_PAUSE=0 snakemake --cores 2
files result.json released .snakemake_timestamp

# A shadow directory has links in the place of the inputs: the runner reads what they lead to.
sed -i 's/^    log:/    shadow: "minimal"\n    log:/' Snakefile
sed -i 's#"./retry-125 {log}#"../../../retry-125 {log}#' Snakefile
rm -rf released result.json report.txt
as anna snakemake --cores 2
files result.json released .snakemake_timestamp
