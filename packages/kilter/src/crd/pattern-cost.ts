// Patterns are written for RE2, which takes time in proportion to the text. JavaScript tries one way after the other: a pattern of which a
// part can match in several ways takes a power of the length, or doubles with each character (J-06).

/** About 10 ms of trying. */
const mostTries = 1e6;

const token = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?:\?[^:)<]*:|\?P?<\w+>)?|\{\d*,?\d*\}\??|[*+?]\??|[^]/g;
const counted = /^\{\d*(,?)(\d*)\}/;

/** How often something may be repeated; undefined for what is not a quantifier. */
function repeatsOf(found: string): number | undefined {
  if (/^[*+]/.test(found)) return Infinity;
  if (found.startsWith('?')) return 1;
  const [whole, comma, most] = counted.exec(found) ?? [];
  if (whole === undefined) return undefined;
  return comma === '' ? Number(whole.slice(1, -1)) : most === '' ? Infinity : Number(most);
}

/** What a part of a pattern may have JavaScript try. */
interface Cost {
  /** Repetitions side by side share the text among them: so often the length is multiplied with itself. */
  readonly power: number;
  /** Choices that have nothing to do with the length, as powers of two. */
  readonly bits: number;
  /** Choices of any kind: whatever repeats this has them each time. */
  readonly choices: number;
}

const nothing: Cost = { power: 0, bits: 0, choices: 0 };
const together = (a: Cost, b: Cost): Cost => ({
  power: a.power + b.power,
  bits: a.bits + b.bits,
  choices: a.choices + b.choices,
});

/** A group on the way through it: the alternatives before this one, and this one without and with what was read last. */
interface Open {
  readonly alternatives: readonly Cost[];
  readonly before: Cost;
  readonly last: Cost;
}

const opened: Open = { alternatives: [], before: nothing, last: nothing };
const most = (costs: readonly Cost[], of: keyof Cost): number => Math.max(...costs.map((cost) => cost[of]));

function closed({ alternatives, before, last }: Open): Cost {
  const all = [...alternatives, together(before, last)];
  const bits = most(all, 'bits') + Math.log2(all.length);
  return { power: most(all, 'power'), bits, choices: most(all, 'choices') + all.length - 1 };
}

function repeated({ power, bits, choices }: Cost, times: number): Cost {
  if (times <= 1) return { power, bits: bits + 1, choices: choices + 1 };
  // Counted, each time has the choice again, also where nothing of the text is left: `(a?){30}`.
  return { power: power + 1, bits: times === Infinity ? bits : bits * times, choices: choices + 1 };
}

/**
 * The longest text that JavaScript judges by a pattern in time, in UTF-16 units, whatever the text. Rather too short
 * than too long: that
 * two choices exclude each other is not looked at.
 */
export function longestJudged(pattern: string): number {
  const groups: Open[] = [opened];
  let ways = 1;
  for (const [found] of pattern.matchAll(token)) {
    const group = groups.pop() ?? opened;
    const { alternatives, before, last } = group;
    const times = repeatsOf(found);
    if (found.startsWith('(')) {
      groups.push(group, opened);
    } else if (found === ')' && groups.length > 0) {
      const outer = groups.pop() ?? opened;
      groups.push({ ...outer, before: together(outer.before, outer.last), last: closed(group) });
    } else if (found === '|') {
      groups.push({ alternatives: [...alternatives, together(before, last)], before: nothing, last: nothing });
    } else if (times === undefined) {
      groups.push({ alternatives, before: together(before, last), last: nothing });
    } else {
      if (times > 1 && last.choices > 0) ways += last.choices;
      groups.push({ alternatives, before, last: repeated(last, times) });
    }
  }
  const whole = groups.reduceRight<Cost>(
    (inner, group) => closed({ ...group, before: together(group.before, inner) }),
    nothing,
  );
  const tries = mostTries / 2 ** whole.bits;
  if (tries < 1) return 0;
  const power = whole.power + (pattern.startsWith('^') ? 0 : 1);
  const byPower = power === 0 ? tries : tries ** (1 / power);
  const byDoubling = ways === 1 ? mostTries : Math.log(tries) / Math.log(ways + 1);
  return Math.floor(Math.min(byPower, byDoubling));
}
