import { mutated } from './mutations.ts';

/** Something that reads what others wrote. */
export interface Target {
  readonly name: string;
  readonly samples: readonly string[];
  /** Reads the input, or refuses it by returning. Throws where it does neither, or does it wrongly. */
  readonly read: (input: Buffer) => unknown;
}

export interface Finding {
  readonly target: string;
  readonly problem: string;
  /** In base64: it may be anything. */
  readonly input: string;
}

// Reading takes microseconds: what takes this long would take for ever with a little more of the same.
const longest = 100;
// After so many the pattern is clear.
const mostFindings = 20;

const kin = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype, Map.prototype];
const fieldsOf = (): string => kin.map((one) => Object.getOwnPropertyNames(one).join()).join('\n');

/** Milliseconds of CPU of this thread: a busy machine does not make a parser slow. */
const spent = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

function problemOf({ read }: Target, input: Buffer): string | undefined {
  const start = spent();
  try {
    read(input);
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  const took = spent() - start;
  return took > longest ? `took ${Math.round(took)} ms` : undefined;
}

/** Reads so many mutated inputs, and says what went wrong. */
export function fuzz(target: Target, { seed, count }: { seed: number; count: number }): Finding[] {
  const inputs = mutated(
    target.samples.map((text) => Buffer.from(text)),
    seed,
  );
  const before = fieldsOf();
  const findings: Finding[] = [];
  for (let i = 0; i < count && findings.length < mostFindings; i += 1) {
    const input = inputs.next().value;
    let problem = problemOf(target, input);
    // The garbage collector has its turn at any time: what is slow is slow again.
    if (problem?.startsWith('took') === true) problem = problemOf(target, input);
    if (problem === undefined && fieldsOf() !== before) problem = 'changed a prototype';
    if (problem !== undefined) findings.push({ target: target.name, problem, input: input.toString('base64') });
  }
  return findings;
}
