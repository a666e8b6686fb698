import { badRequest, forbiddenField, invalidOptions, unnamed, unsupported } from '../status/index.ts';
import { type Issue, quote } from '../values/index.ts';
import type { Call } from './call.ts';
import { isTrue } from './write-options.ts';

export type VersionMatch = '' | 'Exact' | 'NotOlderThan';

/** The options of a list or watch, checked. */
export interface ListOptions {
  /** As sent: '' is unset. */
  readonly resourceVersion: string;
  readonly match: VersionMatch;
  /** 0 is not a limit. */
  readonly limit: number;
  readonly continueToken: string;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
}

const decimal = /^\d+$/;

function integer(call: Call, name: string): number | undefined {
  const text = call.query.get(name);
  if (text === null) return undefined;
  const refuse = (why: string): never => {
    throw badRequest(`strconv.ParseInt: parsing ${quote(text)}: ${why}`);
  };
  if (!/^[+-]?\d+$/.test(text)) return refuse('invalid syntax');
  const value = BigInt(text.replace('+', ''));
  return value === BigInt.asIntN(64, value) ? Number(value) : refuse('value out of range');
}

function listIssues(call: Call, match: string): Issue[] {
  const { query } = call;
  const field = 'resourceVersionMatch';
  const version = query.get('resourceVersion') ?? '';
  const sends = query.has('sendInitialEvents');
  const continues = (query.get('continue') ?? '') !== '';
  return [
    ...(match !== '' && version === ''
      ? [forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided')]
      : []),
    ...(match !== '' && continues
      ? [forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided')]
      : []),
    ...(['', 'Exact', 'NotOlderThan'].includes(match)
      ? []
      : [unsupported(field, match, ['Exact', 'NotOlderThan', ''])]),
    ...(match === 'Exact' && version === '0'
      ? [forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')]
      : []),
    ...(sends ? [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')] : []),
  ];
}

function watchIssues(call: Call, match: string): Issue[] {
  const { query } = call;
  const field = 'resourceVersionMatch';
  const sends = query.has('sendInitialEvents');
  const continues = (query.get('continue') ?? '') !== '';
  return [
    ...(sends && match !== 'NotOlderThan'
      ? [forbiddenField(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')]
      : []),
    ...(!sends && match !== ''
      ? [forbiddenField(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')]
      : []),
    ...(match !== '' && match !== 'NotOlderThan' ? [unsupported(field, match, ['NotOlderThan'])] : []),
    ...(continues ? [forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided')] : []),
  ];
}

/** The options of a list or watch, or a refusal that names each wrong one. */
export function listOptions(call: Call): ListOptions {
  const { query, verb } = call;
  const match = query.get('resourceVersionMatch') ?? '';
  const limit = integer(call, 'limit') ?? 0;
  const timeoutSeconds = integer(call, 'timeoutSeconds');
  const issues = verb === 'watch' ? watchIssues(call, match) : listIssues(call, match);
  if (issues.length > 0) throw invalidOptions('ListOptions', issues);
  return {
    resourceVersion: query.get('resourceVersion') ?? '',
    match: match as VersionMatch,
    limit: Math.max(0, limit),
    continueToken: query.get('continue') ?? '',
    bookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: query.has('sendInitialEvents') ? isTrue(query.get('sendInitialEvents')) : undefined,
    timeoutSeconds,
  };
}

/** A resource version as a number; only lists name it a bad request. */
export function parseVersion(text: string, verb: 'list' | 'other'): number {
  const isNumber = decimal.test(text);
  if (isNumber && BigInt(text) < 2n ** 64n) return Number(text);
  const why = isNumber ? 'value out of range' : 'invalid syntax';
  const problem = `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`;
  throw verb === 'list' ? badRequest(`invalid resource version: ${problem}`) : unnamed(problem);
}
