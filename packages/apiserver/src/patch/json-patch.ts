import type { Json, JsonObject } from 'kilter/api';
import { clone, fieldOf, sameValue, setField } from '../values/index.ts';
import { jsonOf } from './document.ts';
import { operationsOf, type OperationsReading } from './json-operations.ts';
import { container, listIndex, parsePointer, resolve, step } from './json-pointer.ts';
import { PatchError } from './patch-error.ts';

/** The API server's own limit: a patch can make a document grow exponentially by copying it into itself. */
const maxCopiedBytes = 3 * 1024 * 1024;

/** As deep as a body may be: a patch can nest what it copies and moves much deeper than it is itself. */
const deepest = 1000;

/**
 * Applies a JSON patch (RFC 6902): all operations or, with a `PatchError`, none. The result shares nothing with the
 * document or the patch. It takes what the API server takes beyond the RFC: an object's missing field counts as null for
 * `test` and `copy`, and `replace` sets it; a missing value is null; negative indices count from the end of a list; what
 * is before the first slash of a path is dropped. Of the whole document it knows `replace` and `test` alone.
 */
export function jsonPatch(document: Json, operations: unknown, reading: OperationsReading = { validated: true }): Json {
  const state: State = { document: clone(document), copiedBytes: 0 };
  const all = operationsOf(operations, reading);
  try {
    for (const operation of all) apply(state, operation);
  } catch (error) {
    // The stack has ended: what is copied nests that deep by now.
    throw error instanceof RangeError ? tooDeep() : error;
  }
  if (nestsDeeper(state.document, deepest)) throw tooDeep();
  return state.document;
}

const tooDeep = (): PatchError => new PatchError('too-large', `the result nests deeper than ${deepest} levels`);

function nestsDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => nestsDeeper(one, levels - 1));
}

/** `document` is private to one call, so that operations may change it in place; it is dropped when one fails. */
interface State {
  document: Json;
  /** Only grows; never above `maxCopiedBytes`. */
  copiedBytes: number;
}

function apply(state: State, operation: JsonObject): void {
  const op = fieldOf(operation, 'op');
  switch (op) {
    case 'add':
      return add(state, text(operation, 'path'), clone(operand(operation)));
    case 'remove':
      remove(state, text(operation, 'path'));
      return;
    case 'replace':
      return replace(state, text(operation, 'path'), clone(operand(operation)));
    case 'move':
      return move(state, text(operation, 'from'), text(operation, 'path'));
    case 'copy':
      return copy(state, text(operation, 'from'), text(operation, 'path'));
    case 'test':
      return test(state, text(operation, 'path'), operand(operation));
    default:
      throw new PatchError(
        'inapplicable',
        `unknown operation ${JSON.stringify(op)}: use add, remove, replace, move, copy or test`,
      );
  }
}

function text(operation: JsonObject, name: 'path' | 'from'): string {
  const value = fieldOf(operation, name);
  if (typeof value === 'string') return value;
  throw new PatchError(
    'inapplicable',
    `operation ${JSON.stringify(fieldOf(operation, 'op'))} needs a string "${name}"`,
  );
}

function operand(operation: JsonObject): Json {
  return fieldOf(operation, 'value') ?? null;
}

function missing(pointer: string): PatchError {
  return new PatchError('inapplicable', `"${pointer}" does not exist`);
}

function add(state: State, pointer: string, value: Json): void {
  const steps = parsePointer(pointer);
  const last = steps.at(-1);
  if (last === undefined) throw missing(pointer);
  const parent = container(state.document, steps, pointer);
  if (!Array.isArray(parent)) return setField(parent, last, value);
  const index = last === '-' ? parent.length : listIndex(last, parent.length + 1);
  if (index === undefined) {
    throw new PatchError('inapplicable', `"${pointer}": "${last}" is not an index from 0 to ${parent.length}, nor "-"`);
  }
  parent.splice(index, 0, value);
}

function remove(state: State, pointer: string): Json {
  const steps = parsePointer(pointer);
  const last = steps.at(-1);
  if (last === undefined) throw new PatchError('inapplicable', 'the whole document cannot be removed');
  const parent = container(state.document, steps, pointer);
  const removed = step(parent, last);
  if (removed === undefined) throw missing(pointer);
  if (Array.isArray(parent)) parent.splice(Number(last), 1); // splice counts negative positions from the end, too
  else delete parent[last];
  return removed;
}

function replace(state: State, pointer: string, value: Json): void {
  const steps = parsePointer(pointer);
  const last = steps.at(-1);
  if (last === undefined) {
    state.document = value;
    return;
  }
  const parent = container(state.document, steps, pointer);
  if (!Array.isArray(parent)) return setField(parent, last, value);
  if (step(parent, last) === undefined) throw missing(pointer);
  parent.splice(Number(last), 1, value);
}

function move(state: State, from: string, pointer: string): void {
  if (pointer.startsWith(`${from}/`)) {
    throw new PatchError('inapplicable', `"${from}" cannot be moved into itself ("${pointer}")`);
  }
  if (from === pointer) {
    if (resolve(state.document, parsePointer(from)) === undefined) throw missing(from);
    return;
  }
  add(state, pointer, remove(state, from));
}

function copy(state: State, from: string, pointer: string): void {
  if (from === '') throw missing(from);
  const value = read(state, from);
  state.copiedBytes += Buffer.byteLength(jsonOf(value));
  if (state.copiedBytes > maxCopiedBytes) {
    throw new PatchError('inapplicable', `the patch copies more than ${maxCopiedBytes} bytes; copy less, or use add`);
  }
  add(state, pointer, clone(value));
}

function test(state: State, pointer: string, expected: Json): void {
  const actual = read(state, pointer);
  if (sameValue(actual, expected)) return;
  throw new PatchError('inapplicable', `test failed: "${pointer}" is ${jsonOf(actual)}`);
}

/** The value at a pointer; null for the missing field of an object that is there. */
function read(state: State, pointer: string): Json {
  const steps = parsePointer(pointer);
  const value = resolve(state.document, steps);
  if (value !== undefined) return value;
  if (Array.isArray(container(state.document, steps, pointer))) throw missing(pointer);
  return null;
}
