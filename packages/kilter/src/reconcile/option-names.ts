import { KilterError, optionMistakes, type OptionNames } from '../errors/index.ts';
import type { ObservedListOptions } from './composition.ts';
import type { ApplyChildOptions, EffectOptions, StatusOptions } from './context.ts';

type RunFunction = 'ctx.apply' | 'ctx.status' | 'ctx.fence' | 'ctx.event' | 'observed.list';

/** What the functions of a context take. */
const functions: Readonly<Record<RunFunction, OptionNames<object>>> = {
  'ctx.apply': { force: true, adopt: true, owner: true } satisfies OptionNames<ApplyChildOptions>,
  'ctx.status': { conflict: true, stamp: true } satisfies OptionNames<StatusOptions>,
  'ctx.fence': { again: true } satisfies OptionNames<EffectOptions>,
  'ctx.event': { action: true },
  'observed.list': { namespace: true, labels: true } satisfies OptionNames<ObservedListOptions>,
};

/** Refuses what is not an option of the function. Types forbid it; JavaScript and `any` do not. */
export function checkRunOptions(what: RunFunction, given: object | undefined): void {
  if (given === undefined) return;
  const [mistake] = optionMistakes(what, given, functions[what]);
  if (mistake !== undefined) throw new KilterError('RECONCILE_OPTION_INVALID', mistake);
}
