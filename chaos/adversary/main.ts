// npm run adversary -- [--only webapp,recycler] [--seed 1] [--count 500]: hostile custom resources against both operators (C-23).
import { parseArgs } from 'node:util';
import { attack } from './attack.ts';
import { limits, problemsOf } from './limits.ts';
import { type VictimName, victims } from './victims.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(victims).join() },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '500' },
  },
});
const [seed, count] = [Number(values.seed), Number(values.count)];
const names = values.only.split(',');
const unknown = names.filter((name) => !Object.hasOwn(victims, name));
if (unknown.length > 0 || !Number.isSafeInteger(seed) || !Number.isSafeInteger(count) || count < 1) {
  console.error(
    `usage: --only ${Object.keys(victims).join()} --seed <number> --count <number>; not ${process.argv.slice(2).join(' ')}`,
  );
  process.exit(2);
}
for (const victim of names as VictimName[]) {
  const report = await attack({ victim, seed, count });
  const { accepted, refused, growth, kept, stall, waited } = report;
  const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
  console.log(
    `${victim}, seed ${seed}: ${accepted} writes taken, ${refused} refused; memory grew by ${megabytes(growth)} MB (${megabytes(limits.growth)}), of which ${megabytes(kept)} MB (${megabytes(limits.kept)}) were kept; loop held up for ${Math.round(stall)} ms (${limits.stall}), the object nobody attacked waited for ${Math.round(waited)} ms of work (${limits.waited})`,
  );
  for (const problem of problemsOf(report)) {
    console.error(`  ${problem}`);
    process.exitCode = 1;
  }
}
