// An activity that runs one script on one bundle in the sandbox.
import { spawn } from 'node:child_process';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure, Context } from '@temporalio/activity';

const work = process.env.HOTCELL_WORK ?? '/srv/hotcell';

export async function analyse({ script, bundle, flags = [] }) {
  const { info, cancellationSignal } = Context.current();
  // The same for each attempt of this activity, so that what has begun is not begun again.
  const key = `temporal-${info.workflowExecution.runId}-${info.activityId}`;
  const directory = join(work, key);
  const released = join(directory, 'released');
  await rm(released, { recursive: true, force: true }); // of an attempt whose end was lost
  await mkdir(directory, { recursive: true });

  const code = await runner(['run', '--json', '--policy', 'study-analysis', '--bundle', bundle,
    '--idempotency-key', key, '--output', released, ...flags, script], join(directory, 'result.json'), cancellationSignal);
  if (code === 0) {
    return { released, result: join(directory, 'result.json') };
  }
  if (cancellationSignal.aborted) {
    await Context.current().cancelled; // throws
  }
  if (code === 125) {
    throw new Error('the runner or its host failed: nothing is said of the script');
  }
  const { status, run_id: run } = JSON.parse(await readFile(join(directory, 'result.json'), 'utf8'));
  throw ApplicationFailure.nonRetryable(`the run ended as ${status ?? 'refused'} (exit code ${code})`, status ?? 'usage', { run, code, directory });
}

async function runner(args, result, cancelled) {
  const file = await open(result, 'w');
  const beat = setInterval(() => Context.current().heartbeat(), 5000);
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn('runner', args, { stdio: ['ignore', file.fd, 'inherit'] });
      const stop = () => child.kill('SIGTERM'); // 9, and nothing is left behind
      if (cancelled.aborted) stop();
      cancelled.addEventListener('abort', stop);
      child.on('error', reject);
      child.on('exit', (code) => resolve(code ?? 125)); // ended by a signal
    });
  } finally {
    clearInterval(beat);
    await file.close();
  }
}
