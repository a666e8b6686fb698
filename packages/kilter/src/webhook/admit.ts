import { kindLabel, type KubeObject } from '../api/index.ts';
import type { JsonOperation } from '../client/index.ts';
import { ResourceError } from '../crd/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import { orAbort } from '../internal/index.ts';
import { type AdmissionRequest, type AdmissionResponse, notAReview } from './admission-request.ts';
import type { Operation, RequestUser, Review } from './declaration.ts';
import { checkJson, draftOf, patchOf } from './draft.ts';
import type { ResolvedWebhook } from './resolved-webhook.ts';
import { defaultsOf, type Fill, withoutDefaults } from './schema-defaults.ts';
import { type Denial, denied, thrown, unreadable } from './verdict.ts';

export interface AdmitOptions {
  /** Aborts when the API server no longer waits. */
  readonly signal: AbortSignal;
  /** Told of what a function threw. */
  readonly failed: (error: unknown) => void;
}

/** What a function said of a request. */
interface Said {
  readonly denials: Denial[];
  readonly warnings: string[];
}

function userOf({ userInfo }: AdmissionRequest): RequestUser {
  const { username = '', uid, groups, extra } = userInfo ?? {};
  return { name: username, uid, groups: groups ?? [], extra: extra ?? {} };
}

function reviewOf(request: AdmissionRequest, said: Said, signal: AbortSignal): Review<KubeObject> {
  const { operation, oldObject, dryRun, options, namespace, name } = request;
  return {
    operation: operation as Operation,
    old: oldObject ?? undefined,
    user: userOf(request),
    dryRun: dryRun ?? false,
    options: options ?? {},
    namespace: namespace === '' ? undefined : namespace,
    name: name === '' ? undefined : name,
    signal,
    deny: (...given: readonly string[]) => {
      const [message = '', field] = given.map(String).toReversed();
      said.denials.push({ field, message });
    },
    warn: (message) => void said.warnings.push(message),
  } as Review<KubeObject>;
}

/** The object a function is asked about: on DELETE the one that would go. */
function objectOf(webhook: ResolvedWebhook, request: AdmissionRequest): KubeObject {
  const { operation, kind } = request;
  const field = operation === 'DELETE' ? 'oldObject' : 'object';
  const object = request[field];
  if (object === undefined || object === null) throw notAReview(`the ${operation} has no ${field}`);
  const { names } = webhook.kind;
  const isDeclared = kind.group === names.group && kind.version === names.version && kind.kind === names.kind;
  // To a subresource something else may be sent; of the object itself, only what the function was written for.
  if (!isDeclared && webhook.subresource === undefined) {
    const found = `${kindLabel(kind)} ${kind.version}`;
    throw notAReview(`${webhook.path} is asked about ${found}, and knows ${kindLabel(names)} ${names.version}`);
  }
  checkJson(object, 'WEBHOOK_REVIEW_INVALID');
  return object;
}

interface Parsing {
  parse(value: unknown): unknown;
}

/**
 * What the schema of a kind says of an object. A mutating webhook is asked before the API server has looked: a function that fails on
 * an object which is not of its type has not failed.
 */
function schemaProblems({ type, kind, subresource }: ResolvedWebhook, object: KubeObject): Denial[] {
  if (type !== 'mutating' || subresource !== undefined || !('parse' in kind)) return [];
  try {
    (kind as unknown as Parsing).parse(object);
    return [];
  } catch (error) {
    if (!(error instanceof ResourceError)) return [];
    return error.problems.map(({ path, message }) => ({ field: path, message }));
  }
}

const encoded = (operations: readonly JsonOperation[]): string =>
  Buffer.from(JSON.stringify(operations)).toString('base64');

interface Given {
  /** As it was sent. */
  readonly object: KubeObject;
  /** The same with the defaults of its kind, where it was converted on its way. */
  readonly whole: KubeObject;
  readonly review: Review<KubeObject>;
}

/** Objects that were sent in another version come without the defaults of this one. */
function filling({ kind, subresource }: ResolvedWebhook, { requestKind }: AdmissionRequest): Fill {
  const isConverted = requestKind !== undefined && requestKind.version !== kind.names.version;
  return isConverted && subresource === undefined ? defaultsOf(kind) : (object) => object;
}

/** `return false` and `return { ...app }` are meant as an answer, and would admit the object as it was sent. */
function checkNothingReturned(returned: unknown, handed: KubeObject): void {
  if (returned === undefined || returned === handed) return;
  throw new KilterError(
    'WEBHOOK_VALUE_RETURNED',
    `the function of the webhook returned ${inShort(returned)}, which is not an answer`,
  );
}

async function decide(webhook: ResolvedWebhook, given: Given, signal: AbortSignal): Promise<readonly JsonOperation[]> {
  const { object, whole, review } = given;
  const mutates = webhook.type === 'mutating';
  const handed = mutates ? draftOf(whole) : whole;
  const running: unknown = webhook.run(handed, review);
  // What is answered at once costs no listeners.
  if (running !== undefined) checkNothingReturned(await orAbort(Promise.resolve(running), signal), handed);
  if (!mutates) return [];
  const operations = patchOf(object, handed);
  return whole === object ? operations : withoutDefaults(operations, whole);
}

/** The answer of one webhook to one request. Rejects only when the API server waits no more. */
export async function admit(
  webhook: ResolvedWebhook,
  request: AdmissionRequest,
  { signal, failed }: AdmitOptions,
): Promise<AdmissionResponse> {
  const { uid } = request;
  // CONNECT, and whatever else the function was not declared for.
  if (!(webhook.operations as readonly string[]).includes(request.operation)) return { uid, allowed: true };
  const said: Said = { denials: [], warnings: [] };
  const answer = (response: Omit<AdmissionResponse, 'uid'>): AdmissionResponse => ({
    uid,
    ...response,
    ...(said.warnings.length > 0 && { warnings: said.warnings.map(String) }),
  });
  let object: KubeObject;
  try {
    object = objectOf(webhook, request);
  } catch (error) {
    return answer({ allowed: false, status: unreadable(400, error) });
  }
  try {
    const fill = filling(webhook, request);
    const review = reviewOf({ ...request, oldObject: request.oldObject && fill(request.oldObject) }, said, signal);
    const operations = await decide(webhook, { object, whole: fill(object), review }, signal);
    if (said.denials.length > 0) return answer({ allowed: false, status: denied(said.denials, request) });
    const patched = operations.length > 0 && { patchType: 'JSONPatch' as const, patch: encoded(operations) };
    return answer({ allowed: true, ...patched });
  } catch (error) {
    if (signal.aborted) throw error;
    const problems = schemaProblems(webhook, object);
    if (problems.length > 0) return answer({ allowed: false, status: denied(problems, request) });
    failed(error);
    return answer({ allowed: false, status: thrown(error) });
  }
}
