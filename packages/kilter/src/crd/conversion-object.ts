import {
  apiVersionOf,
  groupVersionOf,
  type Json,
  type JsonObject,
  kindLabel,
  type KubeObject,
  type ObjectMeta,
} from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { deepEqual } from '../internal/index.ts';
import type { Compiled, CompiledVersion } from './compile.ts';
import { convertByHand } from './conversion-by-hand.ts';
import { type ConversionData, fingerprint, type Kept, takeData, withData } from './conversion-data.ts';
import { deltaOf } from './conversion-delta.ts';
import type { Edit, ConversionPoint } from './conversion-place.ts';
import { restoreVerified } from './conversion-verify.ts';
import { type Converting, refuseUnconverted } from './conversion.ts';
import { planDown, planUp } from './field-action-fate.ts';
import { isRecord } from './json-schema.ts';
import { problemOf, ResourceError } from './problem.ts';
import { dataField } from './status.ts';
import type { Structural } from './structural.ts';
import { type Fault, isMissing, valueProblems } from './value.ts';

/** Data that was kept for a version but cannot be restored, because that version does not allow it. */
export interface ConversionReport extends Fault {
  /** The object as it was given. */
  readonly object: KubeObject;
  /** The version in which it should have been restored. */
  readonly version: string;
}

/** The options of the conversion of one object. */
export interface ConvertOptions {
  /** Called for data that was kept but cannot be restored. Default: none. */
  readonly report?: ((report: ConversionReport) => void) | undefined;
}

/**
 * An object in another version: up to the newest, down from it. Pure; touches `apiVersion`, `spec` and one field of the
 * status, fills no defaults, and leaves an object without a spec as it is.
 *
 * What the target cannot hold goes into `status.conversionData` and comes back on the way back, unless what stood in its
 * place was changed in the meantime, or the schema forbids it.
 */
export function convertObject(
  converting: Converting,
  object: KubeObject,
  { version, report = () => undefined }: ConvertOptions & { readonly version: string },
): KubeObject {
  const { compiled } = converting;
  const { names } = compiled.newest;
  const from = versionOf(compiled, object);
  known(compiled, version);
  if (from === version) return object;
  refuseUnconverted(converting, [from, version]);
  const apiVersion = apiVersionOf({ ...names, version });
  if (!isRecord((object as { spec?: unknown }).spec)) return { ...object, apiVersion };
  const taken = takeData(object);
  const tell = (at: string, fault: Fault): void => report({ ...fault, object, version: at });
  if (taken.isForeign)
    tell(version, { path: `status.${dataField}`, message: 'was not kept by a conversion, and is ignored' });
  const legs = [from, names.version, version].filter((name, i, way) => name !== way[i - 1]);
  let state: State = { spec: (object as unknown as { spec: JsonObject }).spec, data: taken.data };
  try {
    for (const [i, to] of legs.entries()) {
      const at = legs[i - 1];
      if (at !== undefined) state = step(state, { converting, from: at, to, tell });
    }
    return withData({ ...taken.object, apiVersion, spec: state.spec } as KubeObject, state.data);
  } catch (error) {
    if (error instanceof ResourceError || !(error instanceof KilterError)) throw error;
    const { name = '', namespace = '' } = (object.metadata as Partial<ObjectMeta> | undefined) ?? {};
    const where = namespace === '' ? name : `${namespace}/${name}`;
    throw new KilterError(error.code, `${kindLabel(names)} "${where}" from ${from} to ${version}: ${error.summary}`, {
      cause: error.cause,
      cure: error.cure,
    });
  }
}

function versionOf(compiled: Compiled, object: KubeObject): string {
  const { names } = compiled.newest;
  const { group, version } = groupVersionOf(String(object.apiVersion));
  if (group !== names.group || object.kind !== names.kind) {
    refuse(compiled, `is ${object.kind} of ${object.apiVersion}, not ${kindLabel(names)}`);
  }
  return known(compiled, version);
}

function known(compiled: Compiled, version: string): string {
  if (!compiled.versions.has(version)) refuse(compiled, `there is no version ${version}`);
  return version;
}

function refuse({ newest, versions }: Compiled, message: string): never {
  throw new ResourceError(`customResource ${kindLabel(newest.names)}`, [
    problemOf({
      code: 'CRD_VERSIONS_INVALID',
      path: 'versions',
      message,
      cure: `convert its own objects between its versions: ${[...versions.keys()].join(', ')}`,
    }),
  ]);
}

interface State {
  readonly spec: JsonObject;
  readonly data: ConversionData;
}

/** One leg of the way: to or from the newest version. */
interface Leg {
  readonly converting: Converting;
  readonly from: string;
  readonly to: string;
  readonly tell: (version: string, fault: Fault) => void;
}

function step({ spec, data }: State, leg: Leg): State {
  const { [leg.from]: _stale, [leg.to]: kept, ...others } = data;
  const plain = withKept(translated(spec, leg), kept, { spec, at: leg.to, leg });
  const isUp = leg.to === leg.converting.compiled.newest.names.version;
  const { target, rest } = isUp ? absorbed(plain, others, { spec, leg }) : { target: plain, rest: others };
  return { spec: target, data: { ...rest, ...lostBetween(spec, target, leg) } };
}

/** What comes back of what was kept for a version, unless it was changed where the object was since. */
function withKept(
  plain: JsonObject,
  kept: unknown,
  { spec, at, leg }: { spec: JsonObject; at: string; leg: Leg },
): JsonObject {
  if (!isRecord(kept)) return plain;
  const isUntouched = kept['of'] === fingerprint(spec);
  const isOfPart = kept['part'] === true || isPart(spec, leg);
  return putBack(plain, kept['delta'], { at, leg, isUntouched, isPart: isOfPart });
}

interface PuttingBack {
  readonly at: string;
  readonly leg: Leg;
  readonly isPart: boolean;
  readonly isUntouched?: boolean | undefined;
  readonly place?: ConversionPoint | undefined;
}

/** A spec with a delta applied as far as the schema of its version allows; the rest is reported. */
function putBack(
  plain: JsonObject,
  delta: unknown,
  { at, leg, place = placeIn(leg.converting, at, leg.from), ...how }: PuttingBack,
): JsonObject {
  const { value, refused } = restoreVerified(plain, delta, { ...place, ...how, path: 'spec' });
  for (const fault of refused) leg.tell(at, fault);
  return isRecord(value) ? (value as JsonObject) : plain;
}

/** Whether parts of an object are missing that its version requires: no server stores it so. */
function isPart(spec: JsonObject, { converting, from }: Leg): boolean {
  const faults = valueProblems(specOf(converting.compiled.versions.get(from)), spec, 'spec');
  return faults.some(({ message }) => isMissing(message));
}

/** What is kept of an object that is now `target`, so that it can be `spec` of the version it comes from again. */
function lostBetween(spec: JsonObject, target: JsonObject, leg: Leg): Record<string, Kept> {
  const back = translated(target, { ...leg, from: leg.to, to: leg.from });
  const shows = (edit: Edit): boolean => !deepEqual(attempted(edit(spec), leg), attempted(spec, leg));
  const delta = deltaOf(back, spec, { ...placeIn(leg.converting, leg.from, leg.to), shows });
  if (delta === undefined) return {};
  const part = isPart(spec, leg) && { part: true as const };
  return { [leg.from]: { in: leg.to, of: fingerprint(target), ...part, delta } };
}

/** A spec without some of its parts may be none that an author's function takes. */
function attempted(spec: Json, leg: Leg): JsonObject | undefined {
  try {
    return translated(spec as JsonObject, leg);
  } catch {
    return undefined;
  }
}

/**
 * What found no place where the object comes from may belong to a third version, which was the newest one then: what of it
 * the newest of now can hold comes back, so that stored objects lose nothing when a version is added.
 */
function absorbed(
  plain: JsonObject,
  others: ConversionData,
  { spec, leg }: { spec: JsonObject; leg: Leg },
): { target: JsonObject; rest: ConversionData } {
  const { compiled } = leg.converting;
  let target = plain;
  const rest: Record<string, unknown> = { ...others };
  for (const [version, kept] of Object.entries(others)) {
    if (!compiled.versions.has(version) || !isRecord(kept) || kept['in'] !== leg.from) continue;
    const [there, back] = [
      { ...leg, from: leg.to, to: version },
      { ...leg, from: version, to: leg.to },
    ];
    const before = translated(target, there);
    const after = withKept(before, kept, { spec, at: version, leg });
    const place = placeIn(leg.converting, leg.to, version);
    const gain = deltaOf(translated(before, back), translated(after, back), place);
    const isOfPart = kept['part'] === true || isPart(spec, leg);
    const grown = putBack(target, gain, { at: leg.to, leg, place, isPart: isOfPart });
    if (deepEqual(grown, target)) continue;
    target = grown;
    delete rest[version];
    Object.assign(rest, lostBetween(after, target, back));
  }
  return { target, rest };
}

/** What a delta of the spec of `version` is judged by; a plan can see what `other` hides only from the newest version. */
function placeIn({ compiled, conversions }: Converting, version: string, other: string): ConversionPoint {
  const schema = compiled.versions.get(version)?.shape ?? {};
  const isNewest = version === compiled.newest.names.version;
  return { schema, plan: isNewest && conversions[other] === undefined ? compiled.eras.get(other)?.plan : undefined };
}

function specOf(version: CompiledVersion | undefined): Structural {
  return version?.schema.properties?.['spec'] ?? {};
}

/** By the field actions, and by hand where someone does. */
function translated(spec: JsonObject, leg: Leg): JsonObject {
  const { compiled, conversions } = leg.converting;
  const isUp = leg.to === compiled.newest.names.version;
  const older = isUp ? leg.from : leg.to;
  const plan = compiled.eras.get(older)?.plan;
  const generate = (value: JsonObject): JsonObject =>
    (isUp ? planUp(value, plan) : planDown(value, plan)) as JsonObject;
  const conversion = conversions[older];
  if (conversion === undefined) return generate(spec);
  return convertByHand(spec, {
    path: `converts.${older}.${isUp ? 'up' : 'down'}`,
    from: specOf(compiled.versions.get(leg.from)),
    to: specOf(compiled.versions.get(leg.to)),
    generate,
    convert: (value, generated) => (isUp ? conversion.up(value, generated) : conversion.down(value, generated)),
  });
}
