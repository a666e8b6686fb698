import { apiVersionOf, type Json, type JsonObject } from 'kilter/api';
import type { ResourceDefinition } from '../kinds/index.ts';
import { type AdmissionRequest, type AdmissionStep, type AdmissionView, versionedFor } from '../registry/index.ts';
import { patched } from '../patch/index.ts';
import { goJsonProblem } from '../schema/index.ts';
import { internalError } from '../status/index.ts';
import { isObject, jsonKind, parseJson, quote, sameValue, textIn } from '../values/index.ts';
import { depthProblem, encodeJson } from '../wire/index.ts';
import { type Decision, shapeFor } from './admission-review.ts';
import { CallFailure } from './call-failure.ts';
import { type Calling, callWebhook, failed, Ignored } from './call-webhook.ts';
import { type Webhook, webhooksOf } from './configuration.ts';
import { type Invocation, matched, passesConditions } from './invocation.ts';

function operationsIn({ patch }: Decision): Json[] {
  let operations: Json;
  const text = Buffer.from(patch).toString();
  const refuse = (why: string): CallFailure =>
    new CallFailure(`received undecodable patch in webhook response: ${why}`);
  const tooDeep = depthProblem(text);
  if (tooDeep !== undefined) throw refuse(tooDeep);
  try {
    operations = parseJson(text) as Json;
  } catch {
    throw refuse(goJsonProblem(patch) ?? 'unexpected end of JSON input');
  }
  if (operations === null) return [];
  if (Array.isArray(operations)) return operations;
  throw refuse(`json: cannot unmarshal ${jsonKind(operations)} into Go value of type jsonpatch.Patch`);
}

interface Patching {
  readonly invocation: Invocation;
  readonly request: AdmissionRequest;
  readonly view: AdmissionView;
}

/** The object as a webhook's patch leaves it, in the version the webhook was shown. */
function applied(
  decision: Decision,
  object: JsonObject | undefined,
  { invocation, request, view }: Patching,
): JsonObject {
  const { webhook, resource } = invocation;
  if (decision.patch.length === 0) return object ?? {};
  const operations = operationsIn(decision);
  if (operations.length === 0) return object ?? {};
  if (object === undefined) {
    throw internalError(
      `admission webhook ${quote(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  if (decision.patchType !== 'JSONPatch') {
    throw new CallFailure(`unsupported patch type ${quote(decision.patchType)}`);
  }
  const document = parseJson(encodeJson(object, { shape: shapeFor(request, resource) })) as Json;
  const result = patched(document, operations);
  if ('problem' in result) throw internalError(result.problem);
  if (!isObject(result.value)) throw internalError(`json: cannot unmarshal ${jsonKind(result.value)} into an object`);
  const isOwn = request.kind.kind === request.resource.kind && request.kind.group === request.resource.group;
  return isOwn ? settled(result.value, resource, view) : result.value;
}

/** A patch can make an object one of another kind: it is read as such, and does not fit. */
function settled(object: JsonObject, resource: ResourceDefinition, view: AdmissionView): JsonObject {
  const [kind, apiVersion] = [textIn(object, 'kind'), textIn(object, 'apiVersion')];
  if (kind === resource.kind && apiVersion === apiVersionOf(resource)) return view.settle(object, resource);
  const other = view.kinds().find((one) => one.kind === kind && apiVersionOf(one) === apiVersion);
  if (other === undefined)
    throw internalError(
      `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  view.settle(object, other);
  throw internalError(
    `converting (${other.version}.${kind}) to (${resource.version}.${resource.kind}): unknown conversion`,
  );
}

/** One mutating webhook about the object as it is now: what becomes of it, undefined if it was not asked or has failed. */
async function asked(calling: Calling, { invocation, request, view }: Patching): Promise<JsonObject | undefined> {
  const { webhook, resource } = invocation;
  const versioned = await versionedFor(request, resource, view);
  if (!passesConditions(invocation, request, { versioned, view })) return undefined;
  try {
    const decision = await callWebhook(calling, { invocation, request, versioned, sort: 'mutating' });
    const changed = applied(decision, versioned.object, { invocation, request, view });
    // Untouched, it is what was sent: not the form the webhook was shown.
    if (changed === versioned.object) return request.object ?? changed;
    if (resource === request.resource) return changed;
    return await view.convert(changed, resource, request.resource);
  } catch (error) {
    const outcome = error instanceof CallFailure ? failed(webhook, error) : error;
    if (outcome instanceof Ignored) return request.object ?? {};
    throw outcome;
  }
}

/** What one run over all mutating webhooks has made of an object. */
class Mutation {
  object: JsonObject | undefined;
  /** Webhooks that want to see the object again, by id, once somebody after them has changed it. */
  readonly #eligible = new Set<string>();
  readonly again = new Set<string>();
  readonly #request: AdmissionRequest;
  readonly #view: AdmissionView;
  readonly #calling: Calling;

  constructor(calling: Calling, request: AdmissionRequest, view: AdmissionView) {
    this.#calling = calling;
    this.#request = request;
    this.#view = view;
    this.object = request.object;
  }

  async run(webhooks: readonly Webhook[]): Promise<void> {
    for (const webhook of webhooks) {
      const request = { ...this.#request, object: this.object };
      const invocation = matched(webhook, request, this.#view);
      if (invocation === undefined) continue;
      const result = await asked(this.#calling, { invocation, request, view: this.#view });
      if (result === undefined) continue;
      if (this.object !== undefined && !sameValue(result, this.object)) {
        for (const id of this.#eligible) this.again.add(id);
        this.#eligible.clear();
        this.object = result;
      }
      if (webhook.reinvoked) this.#eligible.add(webhook.id);
    }
  }
}

async function mutated(calling: Calling, request: AdmissionRequest, view: AdmissionView): Promise<JsonObject> {
  const webhooks = webhooksOf('mutatingwebhookconfigurations', view);
  const mutation = new Mutation(calling, request, view);
  await mutation.run(webhooks);
  const again = new Set(mutation.again);
  await mutation.run(webhooks.filter(({ id }) => again.has(id)));
  return mutation.object ?? {};
}

/** Asks the mutating webhooks one after the other; some of them twice. */
export function mutatingWebhooks(calling: Calling): AdmissionStep {
  return {
    mutate: (request, view) => {
      const webhooks = webhooksOf('mutatingwebhookconfigurations', view);
      if (webhooks.every((webhook) => matched(webhook, request, view) === undefined)) return undefined;
      return mutated(calling, request, view);
    },
  };
}
