const goUnits: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** The words the server's older duration reader takes, each with the prefix that is enough for its longer forms. */
const wordUnits: readonly { readonly words: readonly string[]; readonly prefix: string; readonly nanos: bigint }[] = [
  { words: ['ns'], prefix: 'nano', nanos: 1n },
  { words: ['us', 'µs'], prefix: 'micro', nanos: 1_000n },
  { words: ['ms'], prefix: 'milli', nanos: 1_000_000n },
  { words: ['s'], prefix: 'sec', nanos: 1_000_000_000n },
  { words: ['m'], prefix: 'min', nanos: 60_000_000_000n },
  { words: ['h', 'hr'], prefix: 'hour', nanos: 3_600_000_000_000n },
  { words: ['d'], prefix: 'day', nanos: 86_400_000_000_000n },
  { words: ['w', 'wk'], prefix: 'week', nanos: 604_800_000_000_000n },
];

/** Nanoseconds of a Go duration (`1h30m`, `-1.5s`) or of words (`2 days`); undefined for what is neither. */
export function parseDuration(text: string): bigint | undefined {
  return parseGoDuration(text) ?? parseWords(text);
}

const limit = 2n ** 63n;

function parseGoDuration(text: string): bigint | undefined {
  const [, sign = '', body = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (body === '0') return 0n;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of body.matchAll(/(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g)) {
    const scale = goUnits[unit] ?? 0n;
    nanos += BigInt(whole === '' ? 0 : whole) * scale;
    if (fraction !== '') nanos += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
  }
  if (nanos >= limit) return undefined;
  return sign === '-' ? -nanos : nanos;
}

function parseWords(text: string): bigint | undefined {
  let nanos: bigint | undefined;
  for (const [, count = '0', word = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const lower = word.toLowerCase();
    const unit = wordUnits.find(({ words, prefix }) => words.includes(lower) || lower.startsWith(prefix));
    if (unit !== undefined) nanos = (nanos ?? 0n) + BigInt(count) * unit.nanos;
  }
  return nanos;
}
