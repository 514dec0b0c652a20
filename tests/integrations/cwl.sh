# shellcheck shell=bash
# CWL: the page's tool and workflow in cwltool, as anna. Sourced by stage.sh.

# tool NAME [ARGUMENT ...]: cwltool's exit code in $code, its words in NAME.log.
tool() {
	local name=$1
	shift
	code=0
	as anna cwltool --outdir "out-$name" "$@" >"$name.json" 2>"$name.log" || code=$?
	cat "$name.json" "$name.log"
}

# bad NAME CODE PROCESS STATUS SCRIPT [ARGUMENT ...]
bad() {
	local name=$1 want=$2 process=$3 status=$4 script=$5
	shift 5
	tool "$name" analysis.cwl --script "$script" --bundle public-health "$@"
	expect "$name: cwltool's exit code and status" "$want $process" "$code $(grep -oE 'Final process status is [A-Za-z]+' "$name.log" | cut -d' ' -f5)"
	expect "$name: the answer is an output" "$status" "$(jq -r .status "out-$name/result.json")"
	expect "$name: files" null "$(jq -r .released "$name.json")"
}

bad_scripts
tool good analysis.cwl job.yaml
expect 'a good run' 0 "$code"
files out-good/result.json out-good/released
tool workflow workflow.cwl job.yaml
expect 'a workflow' 0 "$code"
files out-workflow/result.json out-workflow/released
grep -q 'total$' out-workflow/sizes.txt

bad refused 1 permanentFail rejected refused.py
bad failing 1 permanentFail failed failing.py
bad over 1 permanentFail timed_out endless.py --timeout 2s

# 125 is told apart from these.
mkdir fake
printf '#!/bin/sh\necho "{\\"status\\": null}"\nexit 125\n' >fake/runner
chmod -R a+rx fake
real=$PATH PATH=$PWD/fake:$PATH
bad host 1 temporaryFail null analysis.py
PATH=$real
