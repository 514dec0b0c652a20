// Runs a script, and hands on where its verified files are.
import { proxyActivities } from '@temporalio/workflow';

const { analyse } = proxyActivities({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { maximumAttempts: 4, initialInterval: '30 seconds', backoffCoefficient: 2 }, // of 125 alone
});

export async function analysis(script, bundle) {
  return await analyse({ script, bundle });
}
