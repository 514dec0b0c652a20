# shellcheck shell=bash
# Temporal: the page's activity in the SDK's own environment for tests, which needs no server, and its
# workflow through the SDK's bundler. Sourced by stage.sh.

ln -s "$CACHE/temporal/node_modules" node_modules
cat >try.mjs <<'END'
import { MockActivityEnvironment } from '@temporalio/testing';
import { analyse } from './activities.mjs';
const environment = new MockActivityEnvironment({ activityId: process.argv[2] });
if (process.argv[5]) setTimeout(() => environment.cancel('CANCELLED'), Number(process.argv[5]));
try {
  const got = await environment.run(analyse, { script: process.argv[3], bundle: 'public-health', flags: JSON.parse(process.argv[4] ?? '[]') });
  console.log(['ended', got.released, got.result].join(' '));
} catch (error) {
  console.log([error.name, error.nonRetryable ?? false, error.type ?? '-', error.details?.[0]?.code ?? '-'].join(' '));
}
END
cat >bundle.mjs <<'END'
import { bundleWorkflowCode } from '@temporalio/worker';
const { code } = await bundleWorkflowCode({ workflowsPath: new URL('workflows.mjs', import.meta.url).pathname });
console.log(code.includes('startToCloseTimeout') ? 'bundled' : 'empty');
END
mkdir kept
chown anna: kept

# activity ID SCRIPT [FLAGS [MILLISECONDS]]
activity() { as anna env HOTCELL_WORK="$PWD/kept" node try.mjs "$@" 2>>"$SITE/temporal.log"; }
place=$PWD/kept/temporal-00000000-0000-0000-0000-000000000000

bad_scripts
expect 'a good run' "ended $place-good/released $place-good/result.json" "$(activity good analysis.py)"
files "$place-good/result.json" "$place-good/released"
expect 'a refused script' 'ApplicationFailure true rejected 3' "$(activity refused refused.py)"
expect 'a script that raises' 'ApplicationFailure true failed 1' "$(activity failing failing.py)"
expect 'over its limit' 'ApplicationFailure true timed_out 4' "$(activity over endless.py '["--timeout", "2s"]')"
expect 'a cancelled activity' 'CancelledFailure false - -' "$(activity cancelled endless.py '[]' 6000)"
expect 'a cancelled activity: the answer' cancelled "$(jq -r .status "$place-cancelled/result.json")"

# An attempt whose end was lost: the next one has the same key, and gets the same run.
first=$(jq -r .run_id "$place-good/result.json")
activity good analysis.py
expect 'a second attempt: the run' "$first" "$(jq -r .run_id "$place-good/result.json")"
files "$place-good/result.json" "$place-good/released"

# 125 is an error that Temporal tries again.
mkdir fake
printf '#!/bin/sh\nexit 125\n' >fake/runner
chmod -R a+rx fake
real=$PATH PATH=$PWD/fake:$PATH
expect 'a host that fails' 'Error false - -' "$(activity host analysis.py)"
PATH=$real
expect 'the workflow' bundled "$(as anna node bundle.mjs 2>>"$SITE/temporal.log")"
