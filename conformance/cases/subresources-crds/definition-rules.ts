// API-K1: what a definition must be like.
import type { Case, Json } from '../../src/case.ts';
import { claim, define, get, mergePatch, post, put, things } from '../../src/steps.ts';
import {
  accepted,
  crdPath,
  crds,
  type Definition,
  type Fields,
  invalid,
  judged,
  loose,
  object,
  refused,
  text,
  version,
  versioned,
} from './definitions.ts';

const schema = object({ spec: object({ a: text }) });
const names: Fields = { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' };

const approvedBy = (group: string, annotations: Fields): Definition => ({
  ...things(object({ a: text }), { group }),
  metadata: { name: `things.${group}`, annotations },
});

const approval = 'api-approved.kubernetes.io';

export const definitionRules: readonly Case[] = [
  {
    id: 'k1-v1-only',
    section: 'subresources-crds',
    shows: ['API-K1'],
    title: 'definitions are v1 only',
    steps: [
      get('group', '/apis/apiextensions.k8s.io'),
      get('resources', '/apis/apiextensions.k8s.io/v1', {
        mask: ['body.resources.*.storageVersionHash'],
        because: 'the hash of a built-in kind is of the section discovery',
      }),
      get('old', '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions'),
      post('old-body', crds, { ...things(object({ a: text })), apiVersion: 'apiextensions.k8s.io/v1beta1' }),
    ],
    claims: [
      claim('one version', 'group.body.versions', { length: 1 }),
      claim('v1', 'group.body.versions.0.version', { is: 'v1' }),
      claim('no v1beta1', 'old.status', { is: 404 }),
      claim('no v1beta1 body', 'old-body.status', { is: 400 }),
    ],
  },
  {
    id: 'k1-name',
    section: 'subresources-crds',
    shows: ['API-K1'],
    title: 'a definition is named plural.group',
    steps: [
      post('right', judged, things(object({ a: text }))),
      post('wrong', judged, { ...things(object({ a: text })), metadata: { name: 'others.{{group}}' } }),
    ],
    claims: [
      accepted('plural.group', 'right'),
      ...refused('another name', 'wrong', ['metadata.name', 'must be spec.names.plural+"."+spec.group']),
    ],
  },
  {
    id: 'k1-storage-version',
    section: 'subresources-crds',
    shows: ['API-K1'],
    title: 'exactly one version is the storage version',
    steps: [
      post('one', judged, versioned([version('v1', schema), version('v2', schema, { storage: false })])),
      post('none', judged, versioned([version('v1', schema, { storage: false })])),
      post('two', judged, versioned([version('v1', schema), version('v2', schema)])),
      post('empty', judged, versioned([])),
    ],
    claims: [
      accepted('one', 'one'),
      claim('none', 'none.body.message', { contains: 'must have exactly one version marked as storage version' }),
      claim('two', 'two.body.message', { contains: 'must have exactly one version marked as storage version' }),
      claim('no versions at all', 'empty.body.code', { is: 422 }),
    ],
  },
  {
    id: 'k1-unique-versions',
    section: 'subresources-crds',
    shows: ['API-K1'],
    title: 'the names of versions are unique',
    steps: [
      post('twice', judged, versioned([version('v1', schema), version('v1', schema, { storage: false })])),
      post('no-label', judged, versioned([version('V1', schema)])),
    ],
    claims: [
      claim('the same name twice', 'twice.body.message', { contains: 'must contain unique version names' }),
      claim('a DNS-1035 label', 'no-label.body.code', { is: 422 }),
    ],
  },
  {
    id: 'k1-schema-each',
    section: 'subresources-crds',
    shows: ['API-K1'],
    title: 'every version has a structural schema',
    steps: [
      post('without', judged, versioned([{ name: 'v1', served: true, storage: true }])),
      post('second-without', judged, versioned([version('v1', schema), { name: 'v2', served: true, storage: false }])),
      post(
        'second-not-structural',
        judged,
        versioned([version('v1', schema), version('v2', object({ spec: {} }), { storage: false })]),
      ),
      post('empty', judged, versioned([version('v1', {})])),
    ],
    claims: [
      claim('none', 'without.body.message', { contains: 'schema.openAPIV3Schema: Required value' }),
      claim('none in the second version', 'second-without.body.message', {
        contains: 'schema.openAPIV3Schema: Required value',
      }),
      claim('not structural in the second version', 'second-not-structural.body.details.causes.0.field', {
        is: 'spec.versions[1].schema.openAPIV3Schema.properties[spec].type',
      }),
      claim('an empty schema is not structural', 'empty.body.message', { contains: 'must not be empty at the root' }),
    ],
  },
  {
    id: 'k1-immutable',
    section: 'subresources-crds',
    shows: ['API-K1'],
    title: 'group and plural never change, scope and kind not once Established',
    steps: [
      ...define('crd', things(object({ a: text }))),
      mergePatch('group', crdPath, { spec: { group: 'other.{{group}}' } }),
      mergePatch('plural', crdPath, { spec: { names: { plural: 'others' } } }),
      mergePatch('scope', crdPath, { spec: { scope: 'Cluster' } }),
      mergePatch('kind', crdPath, { spec: { names: { kind: 'Other' } } }),
      mergePatch(
        'short-names',
        crdPath,
        { spec: { names: { shortNames: ['th'], categories: ['all'] } } },
        {
          only: ['status', 'body.spec.names'],
          because: 'the controller of names writes the status at a time of its own',
        },
      ),
    ],
    claims: [
      claim('group', 'group.body.details.causes', {
        contains: { field: 'spec.group', message: 'Invalid value: "other.{{group}}": field is immutable' },
      }),
      claim('plural', 'plural.body.details.causes', {
        contains: { field: 'spec.names.plural', message: 'Invalid value: "others": field is immutable' },
      }),
      claim('scope', 'scope.body.details.causes', {
        contains: { field: 'spec.scope', message: 'Invalid value: "Cluster": field is immutable' },
      }),
      claim('kind', 'kind.body.details.causes', {
        contains: { field: 'spec.names.kind', message: 'Invalid value: "Other": field is immutable' },
      }),
      claim('short names may change', 'short-names.status', { is: 200 }),
    ],
  },
  {
    id: 'k1-free-until-established',
    section: 'subresources-crds',
    shows: ['API-K1', 'API-K2'],
    title: 'a definition that is not Established yet may still change scope and kind',
    steps: [
      ...define('crd', things(object({ a: text }))),
      post(
        'clash',
        crds,
        {
          ...things(object({ a: text }), { names: { ...names, plural: 'others' } }),
          metadata: { name: 'others.{{group}}' },
        },
        { setup: true },
      ),
      get('refused', `${crds}/others.{{group}}`, {
        until: { at: 'refused.body.status.conditions', contains: { type: 'Established', status: 'False' } },
      }),
      mergePatch('group', `${crds}/others.{{group}}`, { spec: { group: 'other.{{group}}' } }),
      mergePatch('plural', `${crds}/others.{{group}}`, { spec: { names: { plural: 'more' } } }),
      mergePatch(
        'change',
        `${crds}/others.{{group}}`,
        { spec: { scope: 'Cluster', names: { kind: 'Other', listKind: 'OtherList', singular: 'other' } } },
        {
          only: ['status', 'body.spec.scope', 'body.spec.names'],
          because: 'the controller of names writes the status',
        },
      ),
      get('established', `${crds}/others.{{group}}`, {
        until: { at: 'established.body.status.conditions', contains: { type: 'Established', status: 'True' } },
        only: ['status', 'body.spec.names', 'body.status'],
        because: 'the managers of the conditions depend on when the controllers ran',
      }),
      mergePatch('again', `${crds}/others.{{group}}`, { spec: { scope: 'Namespaced' } }),
    ],
    claims: [
      claim('group is immutable already', 'group.body.code', { is: 422 }),
      claim('plural is immutable already', 'plural.body.code', { is: 422 }),
      claim('scope and kind are not', 'change.status', { is: 200 }),
      claim('once Established they are', 'again.body.code', { is: 422 }),
    ],
  },
  {
    id: 'k1-preserve-unknown-fields',
    section: 'subresources-crds',
    shows: ['API-K1'],
    title: 'the old preserveUnknownFields of a definition is refused',
    steps: [
      post('true', judged, things(object({ a: text }), { preserveUnknownFields: true })),
      post('false', judged, things(object({ a: text }), { preserveUnknownFields: false })),
    ],
    claims: [
      ...refused('true', 'true', [
        'spec.preserveUnknownFields',
        'Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ]),
      accepted('false is accepted', 'false'),
    ],
  },
  {
    id: 'k1-protected-groups',
    section: 'subresources-crds',
    shows: ['API-K1'],
    title: 'groups of the community need an approval',
    steps: [
      post('k8s', judged, approvedBy('{{id}}.k8s.io', {})),
      post('kubernetes', judged, approvedBy('{{id}}.kubernetes.io', {})),
      post('invalid', judged, approvedBy('{{id}}.k8s.io', { [approval]: 'because' })),
      post(
        'approved',
        judged,
        approvedBy('{{id}}.k8s.io', { [approval]: 'https://github.com/kubernetes/kubernetes/pull/1' }),
      ),
      post('unapproved', judged, approvedBy('{{id}}.k8s.io', { [approval]: 'unapproved, experimental-only' })),
    ],
    claims: [
      ...refused('*.k8s.io', 'k8s', [
        `metadata.annotations[${approval}]`,
        'Required value: protected groups must have approval annotation',
      ]),
      ...refused('*.kubernetes.io', 'kubernetes', [
        `metadata.annotations[${approval}]`,
        'Required value: protected groups must have approval annotation',
      ]),
      ...refused('an invalid approval', 'invalid', [`metadata.annotations[${approval}]`, 'Invalid value: "because"']),
      accepted('a URL', 'approved'),
      accepted('unapproved…', 'unapproved'),
    ],
  },
  {
    id: 'k1-approved-condition',
    section: 'subresources-crds',
    shows: ['API-K1'],
    title: 'the approval of a protected group shows as a condition',
    steps: [
      post(
        'create',
        crds,
        approvedBy('{{id}}.k8s.io', { [approval]: 'https://github.com/kubernetes/kubernetes/pull/1' }),
        { setup: true },
      ),
      get('approved', `${crds}/things.{{id}}.k8s.io`, {
        until: {
          at: 'approved.body.status.conditions',
          contains: { type: 'KubernetesAPIApprovalPolicyConformant', status: 'True' },
        },
        only: ['status'],
        because: 'three controllers write conditions, in any order',
      }),
    ],
    claims: [
      claim('the condition', 'approved.body.status.conditions', {
        contains: {
          type: 'KubernetesAPIApprovalPolicyConformant',
          status: 'True',
          reason: 'ApprovedAnnotation',
          message: 'approved in https://github.com/kubernetes/kubernetes/pull/1',
        },
      }),
    ],
  },
  {
    id: 'k1-invalid-before-taken',
    section: 'subresources-crds',
    shows: ['API-K1'],
    title: 'an invalid definition is invalid, though its name is taken',
    steps: [
      ...define('crd', things(object({ a: text }))),
      post('invalid', crds, things(object({ a: {} }))),
      post('taken', crds, things(object({ a: text }))),
    ],
    claims: [
      claim('invalid', 'invalid.body.code', { is: 422 }),
      claim('taken', 'taken.body.reason', { is: 'AlreadyExists' }),
    ],
  },
  {
    id: 'k1-names-valid',
    section: 'subresources-crds',
    shows: ['API-K1'],
    title: 'the names of a definition are DNS labels, its group a subdomain, its scope one of two',
    steps: [
      post('kind', judged, things(object({ a: text }), { names: { ...names, kind: 'Th_ing' } })),
      post('list-kind', judged, things(object({ a: text }), { names: { ...names, listKind: 'Thing' } })),
      post('singular', judged, things(object({ a: text }), { names: { ...names, singular: 'Thing' } })),
      post('short-name', judged, things(object({ a: text }), { names: { ...names, shortNames: ['T'] } })),
      post('category', judged, things(object({ a: text }), { names: { ...names, categories: ['A'] } })),
      post('scope', judged, things(object({ a: text }), { scope: 'Global' })),
      post('no-scope', judged, things(object({ a: text }), { scope: '' })),
      post('one-label', judged, {
        ...things(object({ a: text }), { group: 'example' }),
        metadata: { name: 'things.example' },
      }),
      post('defaulted', judged, things(object({ a: text }), { names: { plural: 'things', kind: 'Thing' } })),
      post(
        'no-kind',
        judged,
        things(object({ a: text }), { names: { plural: 'things', listKind: 'ThingList', singular: 'thing' } }),
      ),
    ],
    claims: [
      invalidKind('kind'),
      invalidKind('list-kind'),
      invalidKind('singular'),
      invalidKind('short-name'),
      invalidKind('category'),
      invalidKind('scope'),
      invalidKind('no-scope'),
      invalidKind('one-label'),
      invalidKind('no-kind'),
      claim('singular is the kind in lower case', 'defaulted.body.spec.names.singular', { is: 'thing' }),
      claim('listKind is the kind and List', 'defaulted.body.spec.names.listKind', { is: 'ThingList' }),
    ],
  },
  {
    id: 'k1-version-required',
    section: 'subresources-crds',
    shows: ['API-K1'],
    title: 'an update of a definition needs its version, and names it as it is stored',
    steps: [
      ...define('crd', things(object({ a: text }))),
      put('without-version', crdPath, things(object({ b: text }))),
      put(
        'with-version',
        `${crdPath}?dryRun=All`,
        {
          ...things(object({ b: text })),
          metadata: { name: 'things.{{group}}', resourceVersion: '{{crd-established.body.metadata.resourceVersion}}' },
        },
        {
          only: ['status', 'body.spec', 'body.metadata.generation'],
          because: 'controllers write the status meanwhile',
        },
      ),
      mergePatch(
        'loosen',
        `${crdPath}?dryRun=All`,
        {
          spec: { versions: [version('v1', loose) as Json] },
        },
        {
          only: ['status', 'body.spec', 'body.metadata.generation'],
          because: 'controllers write the status meanwhile',
        },
      ),
    ],
    claims: [
      ...[
        invalid('the version is needed', 'without-version', [
          'metadata.resourceVersion',
          'Invalid value: 0: must be specified for an update',
        ]),
      ],
      claim('a changed spec is a new generation', 'loosen.body.metadata.generation', { is: 2 }),
    ],
  },
];

function invalidKind(step: string): ReturnType<typeof claim> {
  return claim(`${step} is refused`, `${step}.body.code`, { is: 422 });
}
