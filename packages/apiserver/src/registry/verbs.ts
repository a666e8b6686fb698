import type { JsonObject } from 'kilter/api';
import { type Answer, type Call, deleteOptions, parseVersion, writeOptions } from '../calls/index.ts';
import { decodeApplied, decodeBody, identified, placeObject } from '../decoding/index.ts';
import { finalizersOf, type Served } from '../kinds/index.ts';
import { badRequest, methodNotAllowed, modified, notFound, StatusError, unnamed } from '../status/index.ts';
import { append, metadataOf, objectIn, quote, textIn } from '../values/index.ts';
import { performAction } from './actions.ts';
import { answerQuestion } from './answers.ts';
import { appliedConfiguration, applyObject, checkAbsent, isUnnamed, repeatedKeys, unreadable } from './apply-object.ts';
import { type Core, etcdKey, keyOf, load, objectKey, read, seen, show } from './core.ts';
import { reached, type Reader, readerOf } from './freshness.ts';
import { listObjects } from './list.ts';
import { patchObject } from './patch-object.ts';
import { createObject, deleteObject, Overtaken, updateObject } from './pipeline.ts';
import { checkUid } from './preconditions.ts';
import { isReleased } from './removal.ts';
import { applyScale, patchScale, updateScale } from './scale-write.ts';
import { scaleOf } from './scale.ts';
import { watchObjects } from './watch-objects.ts';
import type { Written } from './write.ts';

type ObjectAnswer = Extract<Answer, { type: 'object' }>;

const answer = ({ object, warnings }: Written, code: 200 | 201 = 200): ObjectAnswer => ({
  type: 'object',
  code,
  object,
  warnings,
});

/** As `answer`, of an object as readers get it; what its last holder let go is answered as it lay there. */
const answerSeen = (served: Served, { object, warnings }: Written, code?: 200 | 201): ObjectAnswer =>
  answer({ object: isReleased(object, served) ? object : seen(served, object), warnings }, code);

/** Nothing is hidden from a request for the status alone. */
const answerChanged = (served: Served, { subresource }: Call, written: Written): ObjectAnswer =>
  subresource === 'status' ? answer(written) : answerSeen(served, written);

/** What the server has to say of a body goes out with the answer, be it a refusal. */
async function warning<T extends Answer>(warnings: readonly string[], write: () => Promise<T>): Promise<T> {
  try {
    const written = await write();
    return { ...written, warnings: [...warnings, ...written.warnings] };
  } catch (error) {
    if (error instanceof StatusError) error.warnings = [...warnings, ...error.warnings];
    throw error;
  }
}

/** The name in the path; what could never be one is refused before anything is looked up by it. */
function nameOf({ name }: Call): string {
  if (name === undefined) throw methodNotAllowed();
  const flaw = segmentFlaw(name);
  if (flaw !== undefined) throw badRequest(`Name parameter invalid: ${quote(name)}: ${flaw}`);
  return name;
}

function segmentFlaw(name: string): string | undefined {
  if (name === '.' || name === '..') return `may not be '${name}'`;
  return name.includes('%') ? "may not contain '%'" : undefined;
}

/** A namespace that is a way up in the keys of the store is in none of them. */
export function checkNamespace(served: Served, { namespace = '', name, verb }: Call): void {
  if (namespace !== '.' && namespace !== '..') return;
  if (verb === 'create') {
    const cause = `invalid resource name ${quote(namespace)}: [may not be '${namespace}']`;
    const message = `Internal error occurred: ${cause}`;
    throw new StatusError({ code: 500, reason: 'InternalError', message, details: { causes: [{ message: cause }] } });
  }
  const key = etcdKey(served, namespace, name ?? '').slice('/registry'.length);
  throw unnamed(`invalid key: ${quote(key.replace(/\/$/, ''))}`);
}

function existing(core: Core, served: Served, call: Call): JsonObject {
  const name = nameOf(call);
  const object = read(core, served, keyOf(served, call.namespace, name));
  if (object === undefined) throw notFound(served.definition, name);
  return object;
}

/** As `existing`, for reading only; at an older revision where one is named. */
function existingAt(core: Core, served: Served, call: Call & Reader): JsonObject {
  const name = nameOf(call);
  const key = keyOf(served, call.namespace, name);
  const { view } = call;
  const { storage } = core;
  const stored = view === undefined ? storage.read(served.bucket, key) : storage.readAt(served.bucket, key, view);
  if (stored === undefined) throw notFound(served.definition, name);
  const whole = call.subresource === 'status' && served.definition.strategy.seen !== undefined;
  return whole ? load(core, served, stored) : show(core, served, stored);
}

export async function get(core: Core, served: Served, call: Call): Promise<Answer> {
  const version = call.query.get('resourceVersion') ?? '';
  const reader = readerOf(core, served, call);
  if (version !== '') await reached(core, parseVersion(version, 'other'), reader);
  const object = existingAt(core, served, { ...call, ...reader });
  const { scale } = served.definition;
  const shown = call.subresource === 'scale' && scale !== undefined ? scaleOf(object, scale) : object;
  return answer({ object: shown, warnings: [] });
}

export async function list(core: Core, served: Served, call: Call): Promise<Answer> {
  const listed = await listObjects(core, served, call);
  return { type: 'list', ...listed, warnings: [] };
}

export async function watch(core: Core, served: Served, call: Call): Promise<Answer> {
  return { type: 'watch', events: await watchObjects(core, served, call), warnings: [] };
}

export async function create(core: Core, served: Served, call: Call): Promise<Answer> {
  const options = writeOptions(call);
  const { object, warnings } = decodeBody(call, options);
  return warning(warnings, async () => {
    placeObject(object, call);
    return answerSeen(served, await createObject(core, { served, object, options, tracked: false }, call.user), 201);
  });
}

export async function act(core: Core, served: Served, call: Call): Promise<Answer> {
  return answer(await performAction(core, served, { call, name: nameOf(call) }), 201);
}

/** A create of a kind that is only ever asked. */
export async function ask(core: Core, served: Served, call: Call): Promise<Answer> {
  return answer(await answerQuestion(core, served, call), 201);
}

/** Beyond this many others were quicker each time: the client shall look at what they wrote. */
const maxAttempts = 32;

/** Makes a change again as long as others were quicker while it was judged. */
async function onNewest<T>(served: Served, call: Call, attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
  }
  throw modified(served.definition, nameOf(call));
}

export function update(core: Core, served: Served, call: Call): Promise<Answer> {
  return onNewest(served, call, () => put(core, served, call));
}

async function put(core: Core, served: Served, call: Call): Promise<Answer> {
  if (call.subresource === 'scale')
    return answer(await updateScale(core, { served, call, old: existing(core, served, call) }));
  const options = writeOptions(call);
  const { object, warnings, emptied } = decodeBody(call, options);
  return warning(warnings, async () => {
    placeObject(object, call);
    const old = read(core, served, keyOf(served, call.namespace, nameOf(call)));
    const { subresource, user } = call;
    const creates = subresource === undefined && served.definition.strategy.createOnUpdate;
    if (old === undefined && !creates) throw notFound(served.definition, nameOf(call));
    if (old === undefined) {
      const { uid: _, ...nothing } = metadataOf(object);
      checkUid({ served, old: { metadata: nothing }, object });
      const made = { served, object, options, tracked: false, ignoresVersion: true };
      return answerSeen(served, await createObject(core, made, user), 201);
    }
    checkUid({ served, old, object });
    const changed = { served, old, object, options, subresource, tracked: false, byClient: true, emptied };
    return answerChanged(served, call, await updateObject(core, changed, user));
  });
}

export function patch(core: Core, served: Served, call: Call): Promise<Answer> {
  return onNewest(served, call, () =>
    call.patchType === 'apply' ? apply(core, served, call) : patchNewest(core, served, call),
  );
}

async function patchNewest(core: Core, served: Served, call: Call): Promise<Answer> {
  const options = writeOptions(call);
  const old = existing(core, served, call);
  if (call.subresource === 'scale') return answer(await patchScale(core, { served, call, old }));
  const { object, warnings, emptied } = patchObject(core, call, { old, options });
  return warning(warnings, async () => {
    placeObject(object, call);
    const { subresource, user } = call;
    const changed = {
      served,
      old,
      object,
      options,
      subresource,
      tracked: false,
      patched: true,
      byClient: true,
      emptied,
    };
    return answerChanged(served, call, await updateObject(core, changed, user));
  });
}

async function apply(core: Core, served: Served, call: Call): Promise<Answer> {
  const options = writeOptions(call);
  if (call.subresource === 'scale')
    return answer(await applyScale(core, { served, call, old: existing(core, served, call) }));
  const applied = appliedConfiguration(call);
  const live = read(core, served, keyOf(served, call.namespace, nameOf(call)));
  if (live === undefined && call.subresource !== undefined) throw notFound(served.definition, nameOf(call));
  const object = applyObject(core, call, { served, live, applied, options });
  const decoded = decodeApplied(object, served.definition);
  if (decoded.problem !== undefined) throw unreadable(applied, call, decoded.problem);
  const value = identified(decoded.value, served.definition);
  return warning(options.fieldValidation === 'Warn' ? repeatedKeys(call) : [], async () => {
    if (live === undefined) checkAbsent(applied, call);
    else if (!isUnnamed(applied)) objectIn(value, 'metadata')['name'] ??= nameOf(call);
    placeObject(value, call);
    const { subresource, user } = call;
    if (live === undefined) {
      const made = { served, object: value, options, tracked: true, ignoresVersion: true };
      return answerSeen(served, await createObject(core, made, user), 201);
    }
    const { emptied } = decoded;
    const changed = { served, old: live, object: value, options, subresource, tracked: true, byClient: true, emptied };
    return answerChanged(served, call, await updateObject(core, changed, user));
  });
}

export function remove(core: Core, served: Served, call: Call): Promise<Answer> {
  const options = deleteOptions(call);
  return onNewest(served, call, async () => {
    const written = await deleteObject(core, { served, old: existing(core, served, call), options }, call.user);
    // So is what somebody holds.
    const held = finalizersOf(metadataOf(written.object)).length > 0;
    return held ? answer(written) : answerSeen(served, written);
  });
}

export async function removeAll(core: Core, served: Served, call: Call): Promise<Answer> {
  const options = deleteOptions(call);
  const listed = await listObjects(core, served, call);
  const warnings: string[] = [];
  return warning(warnings, async () => {
    for (const old of listed.objects) {
      const named = { ...call, name: textIn(metadataOf(old), 'name') };
      await onNewest(served, named, async () => {
        const current = read(core, served, objectKey(served, old));
        if (current === undefined) return;
        const gone = await deleteObject(core, { served, old: current, options, name: '' }, call.user);
        append(warnings, gone.warnings);
      });
    }
    return { type: 'list', ...listed, warnings: [] };
  });
}
