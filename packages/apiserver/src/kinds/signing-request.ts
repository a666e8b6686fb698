// CertificateSigningRequest: who asks for a certificate is for the server to say, who approves and who signs for others.
import { X509Certificate } from 'node:crypto';
import type { JsonObject } from 'kilter/api';
import { duplicate, forbiddenField, invalidValue, required, tooLong, unsupported } from '../status/index.ts';
import {
  clone,
  type Issue,
  metadataOf,
  objectIfIn,
  objectIn,
  objectsIn,
  repeatsIn,
  sameValue,
  textIn,
  textsOf,
} from '../values/index.ts';
import { readCertificateRequest } from './certificate-request.ts';
import type { StrategyContext } from './definition.ts';
import { labelProblems, subdomainProblems } from './names.ts';
import type { BuiltinKind } from './row.ts';

const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const leastSeconds = 600;
const longestDomain = 253;
const longestSigner = 571;
const decisions = ['Approved', 'Denied'];
const settled = [...decisions, 'Failed'];

/** The requester as the server knows it, whatever the client wrote. */
function beginRequest(request: JsonObject, { user }: StrategyContext): void {
  if (objectIfIn(request, 'spec') === undefined) return;
  const { username: _, uid: __, groups: ___, extra: ____, ...spec } = objectIn(request, 'spec');
  const { name = '', uid = '', groups = [], extra = {} } = user ?? {};
  const extras = Object.entries(extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  request['spec'] = {
    ...spec,
    ...(name !== '' && { username: name }),
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(extras.length > 0 && { extra: Object.fromEntries(extras) }),
  };
  request['status'] = {};
}

const conditionsOf = (request: JsonObject): JsonObject[] =>
  objectsIn(objectIfIn(request, 'status') ?? {}, 'conditions');
const ofType = (conditions: readonly JsonObject[], type: string): JsonObject[] =>
  conditions.filter((condition) => condition['type'] === type);

/** Times that were left out are those of now, or of the same verdict before. */
function dated(condition: JsonObject, before: readonly JsonObject[], now: string): JsonObject {
  const same = before.find(({ type, status }) => type === condition['type'] && status === condition['status']);
  const since = same === undefined ? '' : textIn(same, 'lastTransitionTime');
  return {
    ...condition,
    lastUpdateTime: condition['lastUpdateTime'] ?? now,
    lastTransitionTime: condition['lastTransitionTime'] ?? (since === '' ? now : since),
  };
}

/** Only the conditions, which say who approved or denied it. */
function approved(request: JsonObject, old: JsonObject, context: StrategyContext): JsonObject {
  const conditions = conditionsOf(request).map((condition) => dated(condition, conditionsOf(old), context.now()));
  const { conditions: _, ...status } = objectIfIn(old, 'status') ?? {};
  return {
    ...old,
    metadata: metadataOf(request),
    status: { ...status, ...(conditions.length > 0 && { conditions }) },
  };
}

/** Verdicts stay as they are, each in its place: who signs has no say in them. */
function signed(request: JsonObject, old: JsonObject, context: StrategyContext): JsonObject {
  const [given, before] = [conditionsOf(request), conditionsOf(old)];
  const kept = new Map<JsonObject, JsonObject>();
  for (const type of decisions) {
    const [mine, theirs] = [ofType(given, type), ofType(before, type)];
    if (mine.length !== theirs.length) continue;
    for (const [index, condition] of mine.entries()) kept.set(condition, theirs[index] ?? condition);
  }
  const conditions = given.map((condition) => dated(kept.get(condition) ?? condition, before, context.now()));
  const { conditions: _, ...status } = objectIfIn(request, 'status') ?? {};
  return {
    ...old,
    metadata: metadataOf(request),
    status: { ...status, ...(conditions.length > 0 && { conditions }) },
  };
}

function signerIssues(signer: string): Issue[] {
  const field = 'spec.signerName';
  if (signer === '') return [required(field)];
  const [domain = '', path, more] = signer.split('/');
  if (path === undefined || more !== undefined)
    return [
      invalidValue(field, signer, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  const first = (part: string, problems: (label: string) => readonly string[]): Issue[] => {
    const bad = part.split('.').find((label) => problems(label).length > 0);
    if (bad === undefined) return [];
    return problems(bad).map((problem) =>
      invalidValue(field, part, `validating label ${JSON.stringify(bad)}: ${problem}`),
    );
  };
  return [
    ...(domain.length > longestDomain ? [tooLong(field, longestDomain)] : []),
    ...first(domain, labelProblems),
    ...(domain.includes('.')
      ? []
      : [invalidValue(field, domain, 'should be a domain with at least two segments separated by dots')]),
    ...first(path, subdomainProblems),
    ...(signer.length > longestSigner ? [tooLong(field, longestSigner)] : []),
  ];
}

function requestIssues(base64: string): Issue[] {
  const read = readCertificateRequest(base64);
  const bad = 'x509: ECDSA verification failure';
  if ('problem' in read) return [invalidValue('spec.request', base64, read.problem)];
  return read.isSigned ? [] : [invalidValue('spec.request', base64, bad)];
}

function specIssues(spec: JsonObject): Issue[] {
  const { expirationSeconds: seconds } = spec;
  const asked = textsOf(spec['usages']);
  const again = repeatsIn(asked);
  const at = (index: number): string => `spec.usages[${index}]`;
  const signer = textIn(spec, 'signerName');
  const legacy = 'the legacy signerName is not allowed via this API version';
  return [
    ...requestIssues(textIn(spec, 'request')),
    ...(asked.length === 0 ? [required('spec.usages')] : []),
    ...asked.flatMap((usage, index) => (usages.includes(usage) ? [] : [unsupported(at(index), usage, usages)])),
    ...asked.flatMap((usage, index) => (again.has(index) ? [duplicate(at(index), usage)] : [])),
    ...(signer === 'kubernetes.io/legacy-unknown'
      ? [invalidValue('spec.signerName', signer, legacy)]
      : signerIssues(signer)),
    ...(typeof seconds === 'number' && seconds < leastSeconds
      ? [
          invalidValue(
            'spec.expirationSeconds',
            seconds,
            'may not specify a duration less than 600 seconds (10 minutes)',
          ),
        ]
      : []),
  ];
}

function conditionIssues(conditions: readonly JsonObject[]): Issue[] {
  const field = 'status.conditions';
  return conditions.flatMap((condition, index) => {
    const [type, status] = [textIn(condition, 'type'), textIn(condition, 'status')];
    const before = conditions.slice(0, index).map((one) => textIn(one, 'type'));
    const allowed = settled.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    const exclusive = decisions.includes(type) && before.some((one) => one !== type && decisions.includes(one));
    return [
      ...(type === '' ? [required(`${field}[${index}].type`)] : []),
      ...(status === '' ? [required(`${field}[${index}].status`)] : []),
      ...(status === '' || allowed.includes(status) ? [] : [unsupported(`${field}[${index}].status`, status, allowed)]),
      ...(exclusive ? [invalidValue(field, type, 'Approved and Denied conditions are mutually exclusive')] : []),
      ...(before.includes(type) ? [duplicate(`${field}[${index}].type`, type)] : []),
    ];
  });
}

function certificateIssues(base64: string): Issue[] {
  if (base64 === '') return [];
  const pem = Buffer.from(base64, 'base64').toString('latin1');
  const blocks = [...pem.matchAll(/-----BEGIN ([^-\n]*)-----[\s\S]*?-----END \1-----/g)];
  const refused = (why: string): Issue[] => [invalidValue('status.certificate', '<certificate data>', why)];
  if (blocks.length === 0) return refused('must contain at least one CERTIFICATE PEM block');
  for (const [block, type = ''] of blocks) {
    if (type !== 'CERTIFICATE')
      return refused(`only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`);
    try {
      void new X509Certificate(block);
    } catch (error) {
      return refused(error instanceof Error ? error.message : String(error));
    }
  }
  return [];
}

/** What no update takes back, and what only one subresource gives. */
function changeIssues(request: JsonObject, old: JsonObject, subresource: string | undefined): Issue[] {
  const [now, before] = [conditionsOf(request), conditionsOf(old)];
  const field = 'status.conditions';
  const removed = settled.filter((type) => ofType(now, type).length < ofType(before, type).length);
  const added = decisions.filter((type) => ofType(now, type).length > ofType(before, type).length);
  const certificates = [request, old].map((one) => textIn(objectIfIn(one, 'status') ?? {}, 'certificate'));
  const reset = certificates[0] !== certificates[1] && certificates[1] !== '';
  return [
    ...removed.map((type) => forbiddenField(field, `updates may not remove a condition of type "${type}"`)),
    ...(subresource === 'approval'
      ? []
      : added.map((type) => forbiddenField(field, `updates may not add a condition of type "${type}"`))),
    ...(reset ? [forbiddenField('status.certificate', 'updates may not modify existing certificate content')] : []),
  ];
}

function issuesOf(request: JsonObject, old: JsonObject | undefined, subresource: string | undefined): Issue[] {
  const status = objectIfIn(request, 'status') ?? {};
  const certificate = textIn(status, 'certificate');
  const same = old !== undefined && sameValue(certificate, textIn(objectIfIn(old, 'status') ?? {}, 'certificate'));
  return [
    ...specIssues(objectIfIn(request, 'spec') ?? {}),
    ...conditionIssues(conditionsOf(request)),
    ...(same ? [] : certificateIssues(certificate)),
    ...(old === undefined ? [] : changeIssues(request, old, subresource)),
  ];
}

export const signingRequest: BuiltinKind = {
  nameRule: 'path-segment',
  begin: beginRequest,
  // It says the same for ever: what it asks for was judged when it was created.
  keep: (request, old) => {
    request['spec'] = clone(old['spec'] ?? {});
  },
  prepareForStatusUpdate: signed,
  subresourceUpdates: { approval: approved },
  validate: issuesOf,
  selectableFields: ['spec.signerName'],
};
