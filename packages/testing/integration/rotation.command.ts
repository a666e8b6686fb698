// npm run rotation: admissions at a steady rate through a rotation of the authority, on a real control plane.
import { parseArgs } from 'node:util';
import { cluster } from '../src/index.ts';
import { rotateUnderLoad } from './rotation-load.test-support.ts';

const help = `npm run rotation -- [--rate 200] [--replicas 3]

Replaces the authority of webhook certificates while admissions pass through them, on a real control plane (npm run kube:install).
It fails if one of them fails, or if the authority is not replaced within three minutes.

  --rate      admissions per second, sent whether or not earlier ones have been answered
  --replicas  how many replicas of the operator answer
`;

function wanted(): { rate: number; replicas: number } | undefined {
  try {
    const { values } = parseArgs({
      options: {
        rate: { type: 'string', default: '200' },
        replicas: { type: 'string', default: '3' },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    });
    const [rate, replicas] = [Number(values.rate), Number(values.replicas)];
    if (!(rate > 0) || !Number.isInteger(replicas) || replicas < 1)
      throw new Error('a rate is above 0, replicas from 1');
    return values.help ? undefined : { rate, replicas };
  } catch (error) {
    process.stderr.write(`npm run rotation: ${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    process.exit(2);
  }
}

async function rotate(asked: { rate: number; replicas: number }): Promise<void> {
  await using env = await cluster({ backend: 'control-plane', controlPlane: { controllers: [], nodes: 0 } });
  const { client, connection } = env;
  const found = await rotateUnderLoad({ client, connection, ...asked });
  const { sent, failed, seconds, trusted, switched, p50, p99 } = found;
  const each = new Map<string, number>();
  for (const text of failed) each.set(text, (each.get(text) ?? 0) + 1);
  console.log(
    `${sent} admissions in ${seconds.toFixed(0)} s (${(sent / seconds).toFixed(0)} a second), ${failed.length} failed; ` +
      `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; trusted authorities ${trusted.join(' -> ')}; new authority: ${switched}`,
  );
  for (const [text, count] of each) console.log(`  ${count} times: ${text}`);
  if (p50 > 1000)
    console.log('  half of them took longer than a second: this machine is too slow for the rate, see --rate');
  if (failed.length > 0 || !switched) process.exitCode = 1;
}

const asked = wanted();
if (asked === undefined) process.stdout.write(help);
else await rotate(asked);
