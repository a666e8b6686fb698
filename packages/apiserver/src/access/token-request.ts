// serviceaccounts/token: a token on request.
import { formatTime, type JsonObject, parseTime } from 'kilter/api';
import type { AccountClaims, NamedObject } from '../auth/index.ts';
import type { Action, ActionRequest } from '../kinds/index.ts';
import { badRequest, conflict, invalid, invalidValue, notFound } from '../status/index.ts';
import { fill, type Issue, metadataOf, objectIfIn, objectIn, textIn, textOf, textsOf } from '../values/index.ts';
import type { AccountTokens } from './service-accounts.ts';

const group = 'authentication.k8s.io';
const kind = 'TokenRequest';

const identityOf = (object: JsonObject): NamedObject => ({
  name: textIn(metadataOf(object), 'name'),
  uid: textIn(metadataOf(object), 'uid'),
});

const defaultSeconds = 3600;
const leastSeconds = 600;
const mostSeconds = 2 ** 32;

function secondsIn(spec: JsonObject): number {
  const { expirationSeconds: seconds = defaultSeconds } = spec;
  return typeof seconds === 'number' || typeof seconds === 'bigint' ? Number(seconds) : defaultSeconds;
}

function timeIssues(seconds: number): Issue[] {
  const field = 'spec.expirationSeconds';
  if (seconds < leastSeconds) return [invalidValue(field, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds <= mostSeconds) return [];
  return [invalidValue(field, seconds, 'may not specify a duration larger than 2^32 seconds')];
}

function checkIdentity({ sent, name }: ActionRequest, account: NamedObject): void {
  const uid = textIn(metadataOf(sent), 'uid');
  if (uid === '' || uid === account.uid) return;
  const why = `the UID in the token request (${uid}) does not match the UID of the service account (${account.uid})`;
  throw conflict({ group, plural: kind }, name, why);
}

function found(request: ActionRequest, plural: string, name: string): JsonObject {
  const object = request.beside({ group: '', plural }).find((one) => textIn(metadataOf(one), 'name') === name);
  if (object === undefined) throw notFound({ group: '', plural }, name);
  return object;
}

const boundKinds = ['Pod', 'Node', 'Secret'];

/** A pod brings the node it runs on along. */
function nodeOf(request: ActionRequest, pod: JsonObject): NamedObject | undefined {
  const name = textIn(objectIfIn(pod, 'spec') ?? {}, 'nodeName');
  if (name === '') return undefined;
  const nodes = request.beside({ group: '', plural: 'nodes' }).map(identityOf);
  return nodes.find((node) => node.name === name) ?? { name, uid: '' };
}

function podClaims(request: ActionRequest, pod: JsonObject): Partial<AccountClaims> {
  if (textIn(objectIfIn(pod, 'spec') ?? {}, 'serviceAccountName') !== request.name) {
    const why = `cannot bind token for serviceaccount "${request.name}" to pod running with different serviceaccount name.`;
    throw badRequest(why);
  }
  return { pod: identityOf(pod), node: nodeOf(request, pod) };
}

/** What the token shall live and die with. */
function boundClaims(request: ActionRequest, ref: JsonObject): Partial<AccountClaims> {
  const kindOf = textIn(ref, 'kind');
  const version = textIn(ref, 'apiVersion');
  if (!boundKinds.includes(kindOf) || version.includes('/')) {
    const [home = '', own = ''] = version.includes('/') ? version.split('/') : ['', version];
    throw badRequest(`cannot bind token to object of type ${home}/${own}, Kind=${kindOf}`);
  }
  const object = found(request, `${kindOf.toLowerCase()}s`, textIn(ref, 'name'));
  const claims = kindOf === 'Pod' ? podClaims(request, object) : { [kindOf.toLowerCase()]: identityOf(object) };
  const uid = textIn(ref, 'uid');
  if (uid === '' || uid === identityOf(object).uid) return claims;
  const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group: '', plural: kindOf }, textIn(ref, 'name'), why);
}

function checkName({ sent, name }: ActionRequest): void {
  const asked = textIn(metadataOf(sent), 'name');
  if (asked === '' || asked === name) return;
  const issue = invalidValue('metadata.name', asked, 'must match the service account name if specified');
  throw invalid({ group, kind }, name, [issue]);
}

const unanswered = { token: '', expirationTimestamp: null };

/** An hour, unless the client says otherwise; the rest is there as Go writes it when nothing was set. */
function defaultRequest(sent: JsonObject): void {
  fill(objectIn(sent, 'spec'), { expirationSeconds: defaultSeconds, audiences: null, boundObjectRef: null });
  fill(objectIn(sent, 'status'), unanswered);
}

/** The request as it is judged: for this very account, with everything it may leave out. */
function completed(request: ActionRequest, audience: string): JsonObject {
  checkName(request);
  const object = request.object();
  const account = identityOf(object);
  checkIdentity(request, account);
  const { sent } = request;
  const given = objectIfIn(sent, 'spec') ?? {};
  const seconds = secondsIn(given);
  const issues = timeIssues(seconds);
  if (issues.length > 0) throw invalid({ group, kind }, '', issues);
  const asked = textsOf(given['audiences']);
  return {
    kind,
    apiVersion: textIn(sent, 'apiVersion'),
    metadata: {
      ...metadataOf(sent),
      ...account,
      namespace: textIn(metadataOf(object), 'namespace'),
      creationTimestamp: request.now(),
    },
    spec: {
      audiences: asked.length === 0 ? [audience] : asked,
      expirationSeconds: seconds,
      boundObjectRef: objectIfIn(given, 'boundObjectRef') ?? null,
    },
    status: { ...unanswered },
  };
}

/** Gives out tokens of these. */
export const tokenRequest = (tokens: AccountTokens): Action => ({
  takes: { group, version: 'v1', kind },
  fields: {
    spec: 'io.k8s.api.authentication.v1.TokenRequestSpec',
    status: 'io.k8s.api.authentication.v1.TokenRequestStatus',
  },
  owned: {
    defaults: defaultRequest,
    zeroFields: { spec: { audiences: null, expirationSeconds: null, boundObjectRef: null }, status: unanswered },
  },
  complete: (request) => completed(request, tokens.audience),
  act(request) {
    const { name, namespace, uid } = metadataOf(request.sent);
    const account = { name: textOf(name ?? ''), uid: textOf(uid ?? '') };
    const spec = objectIn(request.sent, 'spec');
    const seconds = secondsIn(spec);
    const ref = objectIfIn(spec, 'boundObjectRef');
    const bound = ref === undefined ? {} : boundClaims(request, ref);
    const claims = { namespace: textOf(namespace ?? ''), account, ...bound };
    const token = tokens.issue(claims, { seconds, audiences: textsOf(spec['audiences']) });
    const now = request.now();
    const expirationTimestamp = formatTime((parseTime(now) ?? 0) + seconds * 1000);
    return {
      kind,
      apiVersion: `${group}/v1`,
      metadata: metadataOf(request.sent),
      spec,
      status: { token, expirationTimestamp },
    };
  },
});
