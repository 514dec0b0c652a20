#!/bin/bash
# Landlock on a kernel that has it: every run tells the ABI that is in force, with the
# guard on and off, and with a policy that requires it; a script without
# a hook opens nothing outside the zones; what ordinary scripts do goes on. Root, in a
# guest whose lsm list has landlock; never skipped there.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "landlock: $*" >&2; exit 1; }

grep -q landlock /sys/kernel/security/lsm || fail "this kernel was started without Landlock: this check is for one that has it"

# told RESULT: the result says that some ABI is in force.
told() {
	tr -d ' \n' <"$1" | grep -q '{"name":"landlock","active":true,"detail":"ABI[1-9]"}' || { cat "$1" >&2; fail "$2 does not tell that Landlock is in force"; }
}

cat >"$work/probe.py" <<'P'
import os

def attempt(function, *arguments):
    try:
        function(*arguments)
    except OSError as error:
        return type(error).__name__ + " " + str(error.errno)
    return "done"

print(attempt(open, "/etc/passwd"), attempt(os.listdir, "/"), attempt(open, "/proc/self/maps"), attempt(os.listdir, "/usr/bin"))
print(attempt(open, "/tmp/a", "w"), attempt(open, OUTPUT / "a.txt", "w"), attempt(open, "/dev/null", "w"), attempt(open, os.__file__))
P
runner run --policy "${HOTCELL_TEST_PROBE:-containment-probe}" --allow-unguarded --json "$work/probe.py" >"$work/probe" || { cat "$work/probe" >&2; fail "the probe failed"; }
told "$work/probe" "a run without a guard"
refused='PermissionError 13'
grep -qF "$refused $refused $refused $refused\\ndone done done done" "$work/probe" || { cat "$work/probe" >&2; fail "the probe opened what it may not, or not what it may"; }

cat >"$work/analysis.py" <<'P'
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats
from zoneinfo import ZoneInfo
import statsmodels.api as sm

rng = np.random.default_rng(1)
table = pd.DataFrame({"x": rng.normal(size=50), "y": rng.normal(size=50)})
table["when"] = pd.date_range("2026-01-01", periods=50, tz=ZoneInfo("Europe/Berlin"))
print(sm.OLS(table.y, sm.add_constant(table.x)).fit().nobs, stats.ttest_ind(table.x, table.y).df)
table.plot("x", "y", kind="scatter", title="Ä")
plt.savefig(OUTPUT / "plot.pdf")
table.to_csv(OUTPUT / "table.csv")
(OUTPUT / "sub").mkdir()
(OUTPUT / "table.csv").rename(OUTPUT / "sub" / "table.csv")
P
runner run --policy study-analysis --json "$work/analysis.py" >"$work/analysis" || { cat "$work/analysis" >&2; fail "an ordinary analysis failed"; }
told "$work/analysis" "a run"

mkdir -p /etc/hotcell/policies
strict=/etc/hotcell/policies/landlock-required.yaml
trap 'rm -rf "$work" "$strict"' EXIT
runner policy show study-analysis >"$strict"
sed -i 's/^name: study-analysis/name: landlock-required/; s/^isolation:/isolation:\n  required_controls: [landlock]/' "$strict"
echo 'print(1)' >"$work/one.py"
runner run --policy landlock-required --json "$work/one.py" >"$work/strict" || { cat "$work/strict" >&2; fail "a policy that requires Landlock was refused"; }
told "$work/strict" "a run whose policy requires it"

echo "landlock: in force and told ($(uname -r))"
