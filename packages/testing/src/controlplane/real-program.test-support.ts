// A program for tests that starts a control plane, tells about it, and ends in the way it is asked to, without a stop:
// node real-program.test-support.ts <way>
import { dirname } from 'node:path';
import { systemRuntime } from 'kilter/runtime';
import { controlPlane } from './control-plane.ts';

export interface ToldPlane {
  readonly pids: readonly number[];
  readonly folder: string;
}

const plane = await controlPlane();
const told: ToldPlane = { pids: Object.values(plane.pids), folder: dirname(dirname(plane.kubeconfigFile)) };
process.stdout.write(`${JSON.stringify(told)}\n`);
if (process.argv[2] === 'throw') throw new Error('as asked');
if (process.argv[2] === 'exit') process.exit(3);
await systemRuntime.clock.sleep(600_000);
