import type { JsonObject } from 'kilter/api';
import { isObject, objectOf } from '../values/index.ts';
import { FieldSet } from './field-set.ts';
import { compareElements, parseElement, type PathElement } from './path-element.ts';

/** A set as FieldsV1: `{}` ends a path, `.` says that a path with more below it is itself a member. */
export function encodeFields(set: FieldSet): JsonObject {
  const elements = [...new Set([...set.members, ...set.children.keys()])].toSorted(compareElements);
  return objectOf(
    elements.map((element) => {
      const below = encodeFields(set.below(element));
      return [element, set.members.has(element) && set.children.has(element) ? { '.': {}, ...below } : below];
    }),
  );
}

/**
 * The set of a FieldsV1, or undefined when a step in it is malformed. Steps of an unknown kind (`x:…`) are dropped with
 * all below them: a later version of the format may know them.
 */
export function decodeFields(fields: unknown): FieldSet | undefined {
  return decodeNode(fields)?.below;
}

interface Node {
  readonly below: FieldSet;
  readonly member: boolean;
}

function decodeNode(fields: unknown): Node | undefined {
  if (fields === null) return { below: FieldSet.empty, member: true };
  if (!isObject(fields)) return undefined;
  const members = new Set<PathElement>();
  const children = new Map<PathElement, FieldSet>();
  for (const [text, value] of Object.entries(fields)) {
    if (text === '.' || isUnknownKind(text)) continue;
    const element = parseElement(text);
    const node = element && decodeNode(value);
    if (element === undefined || node === undefined) return undefined;
    if (node.member) members.add(element);
    if (!node.below.isEmpty) children.set(element, node.below);
  }
  const below = new FieldSet(members, children);
  return { below, member: below.isEmpty || Object.hasOwn(fields, '.') };
}

const isUnknownKind = (text: string): boolean => /^[^fkvi]:/su.test(text);
