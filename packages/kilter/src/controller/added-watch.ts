import type { Kind } from '../api/index.ts';
import { optionMistakes, type OptionNames } from '../errors/index.ts';
import { Checks } from './checks.ts';
import type { WatchedSpec } from './spec.ts';

const names: OptionNames<WatchedSpec> = { kind: true, map: true, options: true };

/** A watch that comes while the controller runs, refused for what `.watches` would refuse. */
export function checkedWatch(controller: string, given: WatchedSpec): WatchedSpec {
  const checks = new Checks();
  for (const mistake of optionMistakes('manager.watch', given, names)) checks.add(mistake);
  // Its author may write JavaScript, or leave the options out.
  const { kind, map, options = {} } = ((given as unknown) ?? {}) as Partial<WatchedSpec>;
  const declared = checks.declared('watches', kind as Kind, options);
  const watched = { ...declared, map: checks.fn('watches', map as WatchedSpec['map']) };
  checks.report(controller);
  return watched;
}
