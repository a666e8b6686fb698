// Tokens of service accounts: asked for, used, reviewed, and refused once they no longer count.
import type { Case, Json, RequestStep, Step } from '../../src/case.ts';
import { claim, get, post, remove } from '../../src/steps.ts';

const core = '/api/v1/namespaces/{{ns}}';
const accounts = `${core}/serviceaccounts`;
const reviews = '/apis/authentication.k8s.io/v1';
const account = (name: string): Step =>
  post(`account-${name}`, accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } }, { setup: true });
const secret = { mask: ['body.status.token'], because: 'a signed token differs from run to run' };
const tokenRequest = (spec: Json): Json => ({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec });
const ask = (name: string, spec: Json, of = 'robot'): RequestStep =>
  post(name, `${accounts}/${of}/token`, tokenRequest(spec), secret);
const whoAmI = (name: string, token: string): RequestStep =>
  post(
    name,
    `${reviews}/selfsubjectreviews`,
    { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    { as: 'nobody', send: { authorization: `Bearer ${token}` } },
  );
const review = (name: string, token: string, audiences?: readonly string[]): RequestStep =>
  post(
    name,
    `${reviews}/tokenreviews`,
    {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token, ...(audiences === undefined ? {} : { audiences }) },
    },
    { mask: ['body.spec.token'], because: 'a signed token differs from run to run' },
  );
const tokenOf = (step: string): string => `{{${step}.body.status.token}}`;
const issuer = 'https://kubernetes.default.svc';
const pod: Json = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] },
};
const encoded = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = {
  iss: issuer,
  aud: [issuer],
  sub: 'system:serviceaccount:default:x',
  exp: 4_000_000_000,
  iat: 1,
  nbf: 1,
};
const forged = `${encoded({ alg: 'none' })}.${encoded(claims)}.AAAA`;
const otherKey = `${encoded({ alg: 'ES256', kid: 'somebody' })}.${encoded(claims)}.${'A'.repeat(86)}`;
const otherIssuer = `${encoded({ alg: 'ES256' })}.${encoded({ ...claims, iss: 'https://elsewhere' })}.${'A'.repeat(86)}`;

export const tokens: readonly Case[] = [
  {
    id: 'z9-request',
    section: 'admission-identity',
    shows: ['API-Z9'],
    title: 'a token is given for an account, for an hour and this server unless asked otherwise',
    steps: [
      account('robot'),
      ask('plain', {}),
      ask('longer', { expirationSeconds: 7200, audiences: ['vault', issuer] }),
      ask('too-short', { expirationSeconds: 599 }),
      ask('too-long', { expirationSeconds: 4_294_967_297 }),
      ask('nobody', {}, 'missing'),
      ask('bound-to-what', { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } }),
      ask('bound-to-nothing', { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'x' } }),
      whoAmI('who', tokenOf('plain')),
      get('read', `${accounts}/robot/token`),
    ],
    claims: [
      claim('201', 'plain.status', { is: 201 }),
      claim('an hour', 'plain.body.spec.expirationSeconds', { is: 3600 }),
      claim('for this server', 'plain.body.spec.audiences', { is: [issuer] }),
      claim('not under ten minutes', 'too-short.status', { is: 422 }),
      claim('it names the account', 'who.body.status.userInfo.username', {
        matches: '^system:serviceaccount:.*:robot$',
      }),
    ],
  },
  {
    id: 'z9-audiences',
    section: 'admission-identity',
    shows: ['API-Z9', 'API-Z3'],
    title: 'a token counts for its audiences alone',
    steps: [
      account('robot'),
      ask('plain', {}),
      ask('vault', { audiences: ['vault'] }),
      whoAmI('as-vault', tokenOf('vault')),
      review('plain-here', tokenOf('plain')),
      review('plain-there', tokenOf('plain'), ['vault']),
      review('vault-here', tokenOf('vault')),
      review('vault-there', tokenOf('vault'), ['vault', 'other']),
    ],
    claims: [
      claim('401 for a token that is meant for others', 'as-vault.status', { is: 401 }),
      claim('it counts here', 'plain-here.body.status.authenticated', { is: true }),
      claim('and not there', 'plain-there.body.status.authenticated', { present: false }),
      claim('that of others not here', 'vault-here.body.status.authenticated', { present: false }),
      claim('but there', 'vault-there.body.status.audiences', { is: ['vault'] }),
    ],
  },
  {
    id: 'z9-gone',
    section: 'admission-identity',
    shows: ['API-Z9'],
    title: 'a token ends with its account, and with the Pod it is bound to',
    steps: [
      account('robot'),
      post('pod', `${core}/pods`, pod, { setup: true }),
      ask('bound', {
        boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: '{{pod.body.metadata.uid}}' },
      }),
      ask('other-uid', { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: 'other' } }),
      ask('free', {}),
      whoAmI('before', tokenOf('bound')),
      remove('delete-pod', `${core}/pods/p?gracePeriodSeconds=0`, { setup: true }),
      { ...whoAmI('without-pod', tokenOf('bound')), until: { at: 'without-pod.status', is: 401 } },
      whoAmI('still-free', tokenOf('free')),
      remove('delete-account', `${accounts}/robot`, { setup: true }),
      { ...whoAmI('without-account', tokenOf('free')), until: { at: 'without-account.status', is: 401 } },
      { ...account('robot'), name: 'account-again' } as Step,
      whoAmI('of-another', tokenOf('free')),
      review('review-of-another', tokenOf('free')),
    ],
    claims: [
      claim('its Pod is part of who it is', 'before.body.status.userInfo.extra', {
        matches: 'authentication.kubernetes.io/pod-name',
      }),
      claim('401 without the Pod', 'without-pod.status', { is: 401 }),
      claim('others go on', 'still-free.status', { is: 201 }),
      claim('401 without the account', 'without-account.status', { is: 401 }),
      claim('an account of the same name is another', 'of-another.status', { is: 401 }),
    ],
  },
  {
    id: 'z9-foreign',
    section: 'admission-identity',
    shows: ['API-Z9', 'API-Z1'],
    title: 'tokens that nobody signed, that somebody else signed or issued are 401',
    steps: [
      whoAmI('unsigned', forged),
      whoAmI('other-key', otherKey),
      whoAmI('other-issuer', otherIssuer),
      whoAmI('no-token', 'a.b.c'),
      review('review-unsigned', forged),
      review('review-other-key', otherKey),
      review('review-other-issuer', otherIssuer),
    ],
    claims: [
      claim('unsigned', 'unsigned.status', { is: 401 }),
      claim('another key', 'other-key.status', { is: 401 }),
      claim('another issuer', 'other-issuer.status', { is: 401 }),
      claim('a review says no', 'review-unsigned.body.status.authenticated', { present: false }),
    ],
  },
];
