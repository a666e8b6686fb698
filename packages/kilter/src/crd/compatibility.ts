import { inShort, KilterError, optionMistakes, type OptionNames } from '../errors/index.ts';
import { deepEqual } from '../internal/index.ts';
import type { CustomResourceDefinition } from '../k8s/apiextensions/v1.ts';
import {
  type CompatibilityChange,
  type CompatibilityVerdict,
  type Judgement,
  judgements,
} from './compatibility-change.ts';
import { versionsChanges } from './compatibility-version.ts';
import { type Problem, problemOf, ResourceError } from './problem.ts';

const { added, refused, visible } = judgements;

/** Allows a breaking change, for a stated reason. What the server refuses cannot be waived. */
export interface CompatibilityWaiver {
  readonly path: string;
  readonly reason: string;
  /** All versions unless given. */
  readonly version?: string | undefined;
}

/** The options of one comparison. */
export interface CompatibilityOptions {
  readonly waivers?: readonly CompatibilityWaiver[] | undefined;
}

/** What changed between two definitions, and whether stored objects stay valid. */
export interface Compatibility {
  /** By version, then by place. */
  readonly changes: readonly CompatibilityChange[];
  /** The verdict of the worst change that is not waived. */
  readonly verdict: CompatibilityVerdict;
  /** Waivers that match no change and can be deleted. */
  readonly unused: readonly CompatibilityWaiver[];
}

const knownOptions: OptionNames<CompatibilityOptions> = { waivers: true };
const knownInWaiver: OptionNames<CompatibilityWaiver> = { path: true, reason: true, version: true };

const order: readonly CompatibilityVerdict[] = ['safe', 'visible', 'warning', 'breaking', 'refused'];

/**
 * What changes for those who use a resource when `before` becomes `after`: for clients, for stored objects, for the
 * API server. Pure; `before` may come from git or, with its status, from a cluster.
 */
export function compatibility(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
  options: CompatibilityOptions = {},
): Compatibility {
  for (const given of [before, after]) checkDefinition(given);
  const waivers = waiversIn(options);
  refuseUnreasoned(after, waivers);
  const found = [...definitionChanges(before, after), ...versionsChanges(before, after)];
  const used = new Set<CompatibilityWaiver>();
  const changes = found.map((change) => {
    const waiver = change.verdict === 'breaking' ? waivers.find((each) => fits(each, change)) : undefined;
    if (waiver === undefined) return change;
    used.add(waiver);
    return { ...change, waived: waiver.reason };
  });
  const worst = Math.max(
    0,
    ...changes.filter(({ waived }) => waived === undefined).map(({ verdict }) => order.indexOf(verdict)),
  );
  return { changes, verdict: order[worst] ?? 'safe', unused: waivers.filter((waiver) => !used.has(waiver)) };
}

/** A waiver whose version is misspelled would hold for all of them. */
function waiversIn(options: CompatibilityOptions): readonly CompatibilityWaiver[] {
  const { waivers = [] } = options;
  const [mistake] = [
    ...optionMistakes('compatibility()', options, knownOptions),
    ...waivers.flatMap((waiver, i) => optionMistakes(`waivers[${i}]`, waiver, knownInWaiver)),
  ];
  if (mistake !== undefined) throw new KilterError('CRD_KEY_UNKNOWN', mistake, { cure: waiverCure });
  return waivers;
}

const waiverCure = 'write { waivers: [{ path, reason, version }] }; without a version, a waiver holds for all of them';

/** The class of a resource is not its definition. */
function checkDefinition(given: CustomResourceDefinition): void {
  if (Array.isArray((given as Partial<CustomResourceDefinition> | undefined)?.spec?.versions)) return;
  throw new KilterError('CRD_OBJECT_INVALID', `${inShort(given)} is not a CustomResourceDefinition`, {
    cure: 'give what WebApp.manifest() makes, or what the server returned',
  });
}

/**
 * Like `compatibility`, but throws if there are breaking or refused changes that are not waived, listing each with its
 * path, before and after.
 */
export function assertCompatible(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
  options: CompatibilityOptions = {},
): Compatibility {
  const result = compatibility(before, after, options);
  const [first, ...rest] = result.changes.filter(isIncompatible).map(problemOfChange);
  if (first !== undefined) throw new ResourceError(subjectOf(before), [first, ...rest]);
  return result;
}

function isIncompatible({ verdict, waived }: CompatibilityChange): boolean {
  return (verdict === 'breaking' || verdict === 'refused') && waived === undefined;
}

function subjectOf({ metadata }: CustomResourceDefinition): string {
  return `CustomResourceDefinition ${metadata.name}`;
}

function problemOfChange({
  path,
  version,
  what,
  before,
  after,
  verdict,
  statement,
  cure,
}: CompatibilityChange): Problem {
  const place = version === undefined ? path : `${version} ${path}`;
  const by = verdict === 'refused' ? ', which the API server refuses' : '';
  const message = `${what} (${statement})${by}: before ${shown(before)}, after ${shown(after)}`;
  return problemOf({ code: 'CRD_INCOMPATIBLE', path: place, message, cure });
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

function fits({ path, version }: CompatibilityWaiver, change: CompatibilityChange): boolean {
  return path === change.path && (version === undefined || version === change.version);
}

function refuseUnreasoned(after: CustomResourceDefinition, waivers: readonly CompatibilityWaiver[]): void {
  const blank = waivers.filter(({ reason }) => typeof reason !== 'string' || reason.trim() === '');
  const [first, ...rest] = blank.map(({ path }) =>
    problemOf({ code: 'CRD_INCOMPATIBLE', path, message: 'is waived without a reason', cure: 'write down the reason' }),
  );
  if (first !== undefined) throw new ResourceError(subjectOf(after), [first, ...rest]);
}

/** Names and scope, of the resource as a whole. */
function definitionChanges(before: CustomResourceDefinition, after: CustomResourceDefinition): CompatibilityChange[] {
  const { spec: old } = before;
  const { spec: now } = after;
  const fixed = refused('changed', 'define another resource, and move the objects over');
  const established = isEstablished(before) ? fixed : visible('changed before it was established');
  const strategy = (spec: typeof old): string => spec.conversion?.strategy ?? 'None';
  const rows: readonly (readonly [string, unknown, unknown, Judgement])[] = [
    ['group', old.group, now.group, fixed],
    ['names.plural', old.names.plural, now.names.plural, fixed],
    ['names.kind', old.names.kind, now.names.kind, established],
    ['scope', old.scope, now.scope, established],
    ['names.singular', old.names.singular, now.names.singular, visible('singular changed')],
    ['names.listKind', old.names.listKind, now.names.listKind, visible('list kind changed')],
    ['names.shortNames', old.names.shortNames ?? [], now.names.shortNames ?? [], added('short names changed')],
    ['names.categories', old.names.categories ?? [], now.names.categories ?? [], added('categories changed')],
    ['conversion', strategy(old), strategy(now), visible('conversion changed')],
  ];
  return rows.flatMap(([path, was, is, judgement]) =>
    deepEqual(was, is) ? [] : [{ path, ...judgement, before: was, after: is }],
  );
}

/** A definition without a status comes from a file, and whoever compares it has installed it. */
function isEstablished({ status }: CustomResourceDefinition): boolean {
  const condition = status?.conditions?.find(({ type }) => type === 'Established');
  return status === undefined || condition?.status === 'True';
}
