// What the server's JSON patch library says of an operation that does not apply.
import type { Json, JsonObject } from 'kilter/api';
import { isObject, textIn } from '../values/index.ts';
import { jsonPatch } from './json-patch.ts';
import { PatchError } from './patch-error.ts';

const stepsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

function at(document: Json, steps: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const step of steps) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isObject(value) ? value[step] : undefined;
  }
  return value;
}

const missing = 'missing value';

function indexText(key: string): string {
  const index = Number(key);
  if (Number.isInteger(index)) return `Unable to access invalid index: ${key}: invalid index referenced`;
  return `value was not a proper array index: '${key}': strconv.Atoi: parsing "${key}": invalid syntax`;
}

interface PointerTarget {
  readonly path: string;
  readonly key: string;
  /** Undefined if the path leads nowhere. */
  readonly parent: Json | undefined;
}

function placeIn(document: Json, path: string): PointerTarget {
  const steps = stepsOf(path);
  const parent = at(document, steps.slice(0, -1));
  return { path, key: steps.at(-1) ?? '', parent: typeof parent === 'object' && parent !== null ? parent : undefined };
}

const removal = ({ key, parent }: PointerTarget): string =>
  Array.isArray(parent) ? indexText(key) : `Unable to remove nonexistent key: ${key}: ${missing}`;

function texts(operation: JsonObject, document: Json): string {
  const op = textIn(operation, 'op');
  const path = textIn(operation, 'path');
  const place = placeIn(document, path);
  const from = textIn(operation, 'from');
  const source = placeIn(document, from);
  switch (op) {
    case 'add':
      if (place.parent === undefined) return `add operation does not apply: doc is missing path: "${path}": ${missing}`;
      return `error in add for path: '${path}': ${indexText(place.key)}`;
    case 'remove':
      if (place.parent === undefined)
        return `remove operation does not apply: doc is missing path: "${path}": ${missing}`;
      return `error in remove for path: '${path}': ${removal(place)}`;
    case 'replace':
      if (place.parent === undefined)
        return `replace operation does not apply: doc is missing path: ${path}: ${missing}`;
      return `replace operation does not apply: doc is missing key: ${path}: ${missing}`;
    case 'move':
      if (source.parent === undefined)
        return `move operation does not apply: doc is missing from path: ${from}: ${missing}`;
      if (at(document, stepsOf(from)) === undefined)
        return `error in move for path: '${source.key}': ${removal(source)}`;
      return `move operation does not apply: doc is missing destination path: ${path}: ${missing}`;
    case 'copy':
      if (source.parent === undefined)
        return `copy operation does not apply: doc is missing from path: ${from}: ${missing}`;
      return `copy operation does not apply: doc is missing destination path: ${path}: ${missing}`;
    case 'test':
      return `testing value ${path} failed: test failed`;
    default:
      return `Unexpected kind: ${op === '' ? 'unknown' : op}`;
  }
}

/** The document after a JSON patch, or what is wrong with the first operation that does not apply. */
export function patched(document: Json, operations: readonly Json[]): { readonly value: Json } | { problem: string } {
  let value = document;
  for (const operation of operations) {
    try {
      value = jsonPatch(value, [operation], { validated: false });
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      if (error.failure === 'too-large') return { problem: error.message };
      return { problem: texts(isObject(operation) ? operation : {}, value) };
    }
  }
  return { value };
}
