import type { JsonObject } from 'kilter/api';
import { isObject, jsonKind } from '../values/index.ts';
import { PatchError } from './patch-error.ts';

/** The API server's own limit: a patch can make a document grow exponentially by copying it into itself. */
const maxOperations = 10_000;

const texts = ['op', 'path', 'from'];
const members = new Set([...texts, 'value']);

export interface OperationsReading {
  /** Unless fields are ignored the server reads the patch once more, to say what it does not know, and then more strictly. */
  readonly validated: boolean;
}

/** The operations of a JSON patch; null is none. */
export function operationsOf(body: unknown, { validated }: OperationsReading): JsonObject[] {
  const types = validated
    ? { list: '[]handlers.jsonPatchOp', item: 'handlers.jsonPatchOp', prefix: 'error decoding patch: ' }
    : { list: 'jsonpatch.Patch', item: 'jsonpatch.Operation', prefix: '' };
  const refuse = (value: unknown, into: string): PatchError =>
    new PatchError('malformed', `${types.prefix}json: cannot unmarshal ${jsonKind(value)} into Go ${into}`);
  if (body === null) return [];
  if (!Array.isArray(body)) throw refuse(body, `value of type ${types.list}`);
  const operations = body.map((operation: unknown): JsonObject => {
    if (operation === null) return {};
    if (!isObject(operation)) throw refuse(operation, `value of type ${types.item}`);
    for (const name of validated ? texts : []) {
      const value = operation[name] ?? '';
      if (typeof value !== 'string') throw refuse(value, `struct field jsonPatchOp.${name} of type string`);
    }
    return operation;
  });
  if (operations.length <= maxOperations) return operations;
  const what = `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`;
  throw new PatchError('too-large', what);
}

/** Members no operation has, as paths into the patch: `[0].more`. */
export function unknownMembers(body: unknown): string[] {
  if (!Array.isArray(body)) return [];
  return body.flatMap((operation: unknown, index) =>
    isObject(operation)
      ? Object.keys(operation)
          .filter((name) => !members.has(name))
          .map((name) => `[${index}].${name}`)
      : [],
  );
}
