// Everything in the runtime that reads what others wrote. A new parser gets a row here.
import { isDeepStrictEqual } from 'node:util';
import { fieldSelector, kind, parseLabelSelector } from 'kilter/api';
import { KilterError } from '../../packages/kilter/src/errors/index.ts';
import { parseTime } from '../../packages/kilter/src/api/time.ts';
import { NotJson } from '../../packages/kilter/src/bytes/index.ts';
import { parseFieldTerms } from '../../packages/kilter/src/cache/field-terms.ts';
import { intakeOf, type Received } from '../../packages/kilter/src/cache/intake.ts';
import { ObjectCodec } from '../../packages/kilter/src/cache/object-codec.ts';
import { decodeChange, decodeFields, decodePage } from '../../packages/kilter/src/client/decode.ts';
import { mergeDifference } from '../../packages/kilter/src/client/merge-difference.ts';
import { readAuthorities } from '../../packages/kilter/src/config/pem.ts';
import { parseMapping } from '../../packages/kilter/src/config/yaml-document.ts';
import { differingFields } from '../../packages/kilter/src/controller/field-difference.ts';
import { cloneJson, deepEqual, parseDuration } from '../../packages/kilter/src/internal/index.ts';
import { parseWarnings } from '../../packages/kilter/src/transport/warning-log.ts';
import type { Target } from './fuzz.ts';

const Thing = kind({ group: 'example.com', version: 'v1', kind: 'Thing', plural: 'things', scope: 'Namespaced' });
const request = { method: 'GET', path: '/apis/example.com/v1/things' } as const;
const options = { names: Thing.names, metadataOnly: false, ownManager: (manager: string) => manager === 'own/x' };

const object = `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a","namespace":"n","uid":"u-1","resourceVersion":"12","generation":3,"labels":{"app":"shop","tier":"a"},"ownerReferences":[{"apiVersion":"v1","kind":"X","name":"x","uid":"o","controller":true}],"managedFields":[{"manager":"own/x","operation":"Apply","fieldsV1":{"f:spec":{}}},{"manager":"other","operation":"Update"}]},"spec":{"size":1,"big":12345678901234567890,"small":-1.5e-7,"list":[1,"two",null,true,{"k":"v"}],"text":"a\\u00e9\\n\\ud83d\\ude00 é"},"status":{"ready":false,"conditions":[]}}`;
const list = `{"kind":"ThingList","apiVersion":"example.com/v1","metadata":{"resourceVersion":"9","continue":"abc"},"items":[${object}]}`;

/** Where the input is refused by what may refuse it, that is an answer. */
function orRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof KilterError || error instanceof NotJson) return undefined;
    throw error;
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The value and nothing else, or nothing; by the parser of the language. */
function valueOf(input: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(strict.decode(input)) as unknown };
  } catch {
    return undefined;
  }
}

function levels(value: unknown): number {
  let deepest = 0;
  const left: [unknown, number][] = [[value, 0]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [one, level] = next;
    deepest = Math.max(deepest, level);
    if (typeof one === 'object' && one !== null) for (const part of Object.values(one)) left.push([part, level + 1]);
  }
  return deepest;
}

/** Everything a store or a reader can learn from what was received. */
function account(received: Received): unknown {
  if (!received.usable) return received;
  const { object: kept, key, resourceVersion } = received;
  const { ref, uid, generation, deleting, labels, controllerUid } = kept;
  return {
    key,
    resourceVersion,
    ref,
    uid,
    generation,
    deleting,
    labels,
    controllerUid,
    value: kept.decode(),
    own: kept.ownFields(),
  };
}

const byValue = intakeOf(options);
let codec = new ObjectCodec(options);
let taken = 0;

/** The byte store and `JSON.parse` must see the same in the same bytes. */
function compareStores(input: Buffer): void {
  taken += 1;
  if (taken % 20_000 === 0) codec = new ObjectCodec(options);
  const line = Buffer.concat([Buffer.from('{"object":'), input, Buffer.from('}')]);
  const parsed = valueOf(input);
  const byBytes = orRefused(() => {
    const { received, end } = codec.take(line, 10);
    return end === line.length - 1 ? { received } : undefined;
  });
  if (parsed === undefined) {
    if (byBytes !== undefined) throw new Error('the byte store reads what is not JSON');
    return;
  }
  if (byBytes === undefined) {
    // Blanks before and behind the object are the parser's to skip.
    if (levels(parsed.value) < 1000 && !/^\s|\s$/.test(input.toString('latin1')))
      throw new Error('the byte store does not read what is JSON');
    return;
  }
  const [mine, theirs] = [account(byBytes.received), account(byValue(parsed.value))];
  if (!isDeepStrictEqual(mine, theirs))
    throw new Error(`the stores differ: ${JSON.stringify(mine)} ${JSON.stringify(theirs)}`);
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7386, as simply as can be said. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const made = new Map(isFields(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) made.delete(name);
    else made.set(name, merged(made.get(name), value));
  }
  return Object.fromEntries(made);
}

const withoutNull = (value: unknown): boolean =>
  value !== null && (typeof value !== 'object' || Object.values(value).every(withoutNull));

/** What is found to differ makes of the one the other; a copy is the same, and different ones are not. */
function compareDiffers(input: Buffer): void {
  const after = valueOf(input)?.value;
  const before = JSON.parse(object) as Fields;
  if (!isFields(after) || levels(after) >= 1000) return;
  if (!isDeepStrictEqual(cloneJson(after), after)) throw new Error('a copy differs');
  if (!deepEqual(after, cloneJson(after))) throw new Error('a copy is not equal');
  if (deepEqual(before, after) !== isDeepStrictEqual(before, after))
    throw new Error('equality is not what it should be');
  const metadata = { name: 'a' };
  differingFields({ ...before, metadata } as never, { ...after, metadata } as never);
  if (!withoutNull(after) || !withoutNull(before)) return void mergeDifference(before, after);
  const difference = mergeDifference(before, after);
  if (!isDeepStrictEqual(merged(before, difference ?? {}), after))
    throw new Error('the difference does not lead there');
}

const text = (input: Buffer): string => input.toString('utf8');

export const targets: readonly Target[] = [
  {
    name: 'objects',
    samples: [object, '{"metadata":{"name":"a","namespace":"n","resourceVersion":"1"}}', '[]', '7'],
    read: compareStores,
  },
  { name: 'differences', samples: [object], read: compareDiffers },
  {
    name: 'answers',
    samples: [object, list],
    read: (input) =>
      orRefused(() =>
        decodePage(decodeFields({ text: text(input) } as never, request), request, { kind: Thing.names }),
      ),
  },
  {
    name: 'watch-lines',
    samples: [
      `{"type":"ADDED","object":${object}}`,
      '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7","annotations":{"k8s.io/initial-events-end":"true"}}}}',
      '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","details":{"retryAfterSeconds":1}}}',
    ],
    read: (input) => orRefused(() => decodeChange(text(input), request, { kind: Thing.names })),
  },
  {
    name: 'yaml',
    samples: [
      'apiVersion: v1\nkind: Config\nclusters:\n- name: a\n  cluster: {server: "https://127.0.0.1:6443", insecure-skip-tls-verify: true}\ncurrent-context: a\n',
      'a: &x [1, 2, {b: c}]\nd: *x\ne: |\n  text\n  more\nf: >-\n  folded\n"g": 0x1f\n? h\n: ~\n',
    ],
    read: (input) => orRefused(() => parseMapping(text(input), 'file')),
  },
  {
    name: 'label-selectors',
    samples: ['app=db,tier in (a,b),!x,y!=1,z>5', 'example.com/name notin (a),b', ''],
    read: (input) => parseLabelSelector(text(input)),
  },
  {
    name: 'field-selectors',
    samples: ['metadata.name=x,spec.nodeName!=y', fieldSelector({ a: 'b,c=\\d' })],
    read: (input) => orRefused(() => parseFieldTerms(text(input))),
  },
  { name: 'durations', samples: ['30s', '1.5h', '-2m', '250ms'], read: (input) => parseDuration(text(input)) },
  {
    name: 'times',
    samples: ['2024-02-29T23:59:60.123456Z', '1999-12-31T00:00:00+14:00'],
    read: (input) => parseTime(text(input)),
  },
  {
    name: 'warnings',
    samples: ['299 - "v1beta1 is deprecated", 299 kube "second \\"quoted\\""'],
    read: (input) => parseWarnings(text(input)),
  },
  {
    name: 'pem',
    samples: [
      '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUAJ\n-----END CERTIFICATE-----\n'.repeat(3),
      'text\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    ],
    read: (input) => orRefused(() => readAuthorities(text(input), 'file')),
  },
];
