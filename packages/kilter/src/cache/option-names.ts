import { KilterError, optionMistakes, type OptionNames } from '../errors/index.ts';
import type { CachedListOptions, CachedReadOptions, ChangesOptions } from './view.ts';

const read: OptionNames<CachedReadOptions> = { metadataOnly: true };
const list: OptionNames<CachedListOptions> = { namespace: true, labels: true, fields: true, limit: true, ...read };
const changes: OptionNames<ChangesOptions> = { namespace: true, labels: true, signal: true };

type Read = 'cache.get' | 'cache.find' | 'cache.list' | 'cache.each' | 'cache.changes';

/** What each read of the view takes. */
const reads: Readonly<Record<Read, OptionNames<object>>> = {
  'cache.get': read,
  'cache.find': read,
  'cache.list': list,
  'cache.each': list,
  'cache.changes': changes,
};

/** Refuses what is not an option of the read. Types forbid it; JavaScript and `any` do not. */
export function checkViewOptions(what: Read, given: object): void {
  const [mistake] = optionMistakes(what, given, reads[what]);
  if (mistake !== undefined) throw new KilterError('CACHE_OPTION_INVALID', mistake);
}
