import type { Json, KubeObject } from 'kilter/api';
import { editLoss } from './edit-loss.ts';
import { type Edited, editsOf, twinsOf, withoutTwins } from './edit.ts';
import { type Difference, firstDifference, inWords } from './first-difference.ts';
import type { Loss } from './round-trip-error.ts';
import { type Version, type VersionedKind, withDataOf, withoutData } from './versions.ts';

/** One way an object goes, and what is known about it. */
export interface Trip {
  readonly kind: VersionedKind;
  readonly from: Version;
  readonly to: Version;
  /** All versions but these two. */
  readonly others: readonly Version[];
  readonly newest: Version;
  /** Paths of the older version that the newest cannot hold on purpose. */
  readonly hiddenOnly: readonly string[];
}

/** What is lost of an object on its way, or nothing. The object is as the server holds it. */
export function lossOf(object: KubeObject, trip: Trip): Loss | undefined {
  const { kind, from, to } = trip;
  const way = [from.name, to.name] as const;
  try {
    const there = kind.convert(object, to.name);
    const verdict = to.judge(there);
    if (!verdict.valid) {
      const [error] = verdict.errors;
      return { way, path: error?.field ?? 'spec', what: `is not valid in ${to.name}: ${error?.message ?? ''}` };
    }
    const held = withDataOf(verdict.object, there);
    return (
      backLoss(object, held, trip) ??
      hubLoss(object, held, trip) ??
      detourLoss(object, there, trip) ??
      partsLoss(object, trip) ??
      hiddenLoss(object, there, trip)
    );
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return { way, path: 'spec', what: `cannot be converted: ${what}`, cause: error };
  }
}

/** There and back: what the server holds of it is what it held. */
function backLoss(object: KubeObject, there: KubeObject, trip: Trip): Loss | undefined {
  const way = [trip.from.name, trip.to.name, trip.from.name] as const;
  const found = differenceOf(object, trip.kind.convert(there, trip.from.name), trip);
  return found && { way, path: found.path, what: inWords(found) };
}

/** The newest version holds all that an older one can say: conversion data is for what an older one cannot say. */
function hubLoss(object: KubeObject, there: KubeObject, trip: Trip): Loss | undefined {
  const { kind, from, to, newest, hiddenOnly } = trip;
  if (to !== newest) return undefined;
  const back = kind.convert(withoutData(there), from.name);
  const found = differenceOf(object, back, { ...trip, excused: hiddenOnly });
  const way = [from.name, to.name, from.name] as const;
  return found && { way, path: found.path, what: `${inWords(found)}, since ${to.name} does not hold it` };
}

/** Over another version or straight: the same object arrives. */
function detourLoss(object: KubeObject, there: KubeObject, { kind, from, to, others }: Trip): Loss | undefined {
  const plain = withoutData;
  for (const { name } of others) {
    const [straight, detour] = [kind.convert(object, name), kind.convert(there, name)];
    const found = firstDifference(plain(straight), plain(detour));
    const way = [from.name, to.name, name] as const;
    if (found !== undefined)
      return { way, path: found.path, what: `${inWords(found)}, unlike directly from ${from.name}` };
  }
  return undefined;
}

/** Of so many fields each is left out once per object; of more, another choice for each object. */
const maximumParts = 8;

function partsOf(spec: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(spec);
  const start = names.length > maximumParts ? JSON.stringify(spec).length * maximumParts : 0;
  return Array.from(
    { length: Math.min(names.length, maximumParts) },
    (_, i) => names[(start + i) % names.length] ?? '',
  );
}

/** Without any one of its fields it comes back as well: the server converts such objects to learn who owns which field. */
function partsLoss(object: KubeObject, { kind, from, to }: Trip): Loss | undefined {
  const { spec = {} } = object as KubeObject & { spec?: Readonly<Record<string, unknown>> };
  for (const name of partsOf(spec)) {
    const { [name]: _gone, ...rest } = spec;
    const part = { ...object, spec: rest } as KubeObject;
    const way = [from.name, to.name, from.name] as const;
    const where = `in an object without spec.${name}`;
    try {
      const found = firstDifference(part, kind.convert(kind.convert(part, to.name), from.name));
      if (found !== undefined) return { way, path: found.path, what: `${inWords(found)}, ${where}` };
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      return { way, path: 'spec', what: `cannot be converted ${where}: ${what}`, cause: error };
    }
  }
  return undefined;
}

/** Who changes an object in an older version takes nothing away that it does not show. */
function hiddenLoss(object: KubeObject, there: KubeObject, trip: Trip): Loss | undefined {
  const { kind, from, to, newest } = trip;
  if (from !== newest) return undefined;
  const found = lossByEdits(object, there, { trip, edits: editsOf(there, to) });
  if (found !== undefined) return found;
  for (const twin of twinsOf(object, from)) {
    const down = kind.convert(twin, to.name);
    const loss = lossByEdits(twin, down, { trip, edits: withoutTwins(down, to) });
    if (loss !== undefined) return loss;
  }
  return undefined;
}

function lossByEdits(
  object: KubeObject,
  there: KubeObject,
  { trip, edits }: { trip: Trip; edits: readonly Edited[] },
): Loss | undefined {
  const { kind, from, to } = trip;
  const specOf = (converted: KubeObject): Json | undefined => (converted as KubeObject & { spec?: Json }).spec;
  const alone = (older: KubeObject): Json | undefined => specOf(kind.convert(withoutData(older), from.name));
  const schema = from.schema.properties?.['spec'] ?? {};
  for (const edited of edits) {
    const [shown, changed, is] = [alone(there), alone(edited.object), specOf(kind.convert(edited.object, from.name))];
    const { itemKeys } = from;
    const found = editLoss({ path: 'spec', schema, itemKeys, was: specOf(object), shown, changed, is });
    if (found === undefined) continue;
    const hint = edited.path.includes('[') ? ': listMap() or matchedBy() tells such items apart' : '';
    const what = `${inWords(found)}, though nothing but ${edited.path} was ${edited.how} in ${to.name}${hint}`;
    return { way: [from.name, to.name, from.name], path: found.path, what };
  }
  return undefined;
}

/** The object against what comes back of it, both as the server holds them. */
function differenceOf(
  object: KubeObject,
  back: KubeObject,
  { from, excused }: Trip & { excused?: readonly string[] },
): Difference | undefined {
  const plain = withoutData(back);
  const verdict = from.judge(plain);
  return firstDifference(object, verdict.valid ? verdict.object : plain, { excused });
}
