// API-K8: what a failed rule says, and where (CRD-R1, CRD-R2, CRD-R4, CRD-R5).
import type { Case, Json } from '../../src/case.ts';
import { apply, claim, define, post, thing, things, thingsPath } from '../../src/steps.ts';
import {
  accepted,
  atField as at,
  causes,
  crdPath,
  type Fields,
  integer,
  judgeField,
  list,
  map,
  object,
  refused,
  text,
  tried,
} from './definitions.ts';

const ruled = (schema: Fields, ...rules: readonly Json[]): Fields => ({ ...schema, 'x-kubernetes-validations': rules });
const short: Fields = { type: 'string', maxLength: 10 };
const no = "self == 'yes'";

const messages: Readonly<Record<string, readonly [rule: Fields, says: string]>> = {
  plain: [{ rule: no }, `Invalid value: "no": failed rule: ${no}`],
  message: [{ rule: no, message: 'say yes' }, 'Invalid value: "no": say yes'],
  padded: [{ rule: no, message: '  say yes  ' }, 'Invalid value: "no": say yes'],
  expression: [{ rule: no, messageExpression: "'not ' + self" }, 'Invalid value: "no": not no'],
  both: [{ rule: no, message: 'say yes', messageExpression: "'not ' + self" }, 'Invalid value: "no": not no'],
  failing: [
    { rule: no, message: 'say yes', messageExpression: 'string(1 / (size(self) - 2))' },
    'Invalid value: "no": say yes',
  ],
  failingAlone: [
    { rule: no, messageExpression: 'string(1 / (size(self) - 2))' },
    `Invalid value: "no": failed rule: ${no}`,
  ],
  blank: [{ rule: no, message: 'say yes', messageExpression: "' ' + ' '" }, 'Invalid value: "no": say yes'],
  broken: [{ rule: no, message: 'say yes', messageExpression: "self + '\\n' + self" }, 'Invalid value: "no": say yes'],
  lines: [{ rule: "self ==\n'yes'", message: 'say yes' }, 'Invalid value: "no": say yes'],
};

const reasons: Readonly<Record<string, readonly [reason: string, says: string]>> = {
  invalid: ['FieldValueInvalid', 'Invalid value: "no": say yes'],
  forbidden: ['FieldValueForbidden', 'Forbidden: say yes'],
  required: ['FieldValueRequired', 'Required value: say yes'],
  duplicate: ['FieldValueDuplicate', 'Duplicate value: "no"'],
};

/** Expressions of a depth that is just taken, and of one more. */
const deep: Readonly<Record<string, readonly [most: number, rule: (count: number) => string]>> = {
  brackets: [249, (count) => `${'('.repeat(count)}true${')'.repeat(count)}`],
  sums: [249, (count) => `1${'+1'.repeat(count)} > 0`],
  products: [249, (count) => `1${'*1'.repeat(count)} > 0`],
  relations: [250, (count) => `true${'==true'.repeat(count)}`],
  calls: [249, (count) => `self${'.trim()'.repeat(count)} == ''`],
  choices: [249, (count) => `${'true?true:'.repeat(count)}true`],
};

export const ruleMessages: readonly Case[] = [
  {
    id: 'k8-depth',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'a rule that is too deep or too long is refused; many conditions side by side are not deep',
    steps: [
      ...Object.entries(deep).flatMap(([name, [most, rule]]) => [
        judgeField(`${name}-taken`, ruled(short, { rule: rule(most) })),
        judgeField(`${name}-refused`, ruled(short, { rule: rule(most + 1) })),
      ]),
      judgeField('conditions', ruled(short, { rule: Array(1000).fill('true').join('&&') })),
      judgeField('long', ruled(short, { rule: `true || "${'a'.repeat(100_000)}" == ""` })),
    ],
    claims: [
      ...Object.keys(deep).flatMap((name) => [
        claim(`${name} of a depth that is allowed`, `${name}-taken.status`, { is: 201 }),
        claim(`${name} that are deeper`, `${name}-refused.status`, { is: 422 }),
      ]),
      claim('a thousand conditions', 'conditions.status', { is: 201 }),
      claim('a text that is too long', 'long.status', { is: 422 }),
    ],
  },
  {
    id: 'k8-messages',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'the text of a failed rule: expression, else message, else the rule itself',
    steps: [
      ...define(
        'crd',
        things(
          object(Object.fromEntries(Object.entries(messages).map(([field, [rule]]) => [field, ruled(short, rule)]))),
        ),
      ),
      ...Object.keys(messages).map((field) => tried(field, { [field]: 'no' })),
      tried('passing', { plain: 'yes' }),
    ],
    claims: [
      ...Object.entries(messages).flatMap(([field, [, says]]) => causes(field, field, [[`spec.${field}`, says]])),
      accepted('a rule that holds', 'passing'),
    ],
  },
  {
    id: 'k8-message-too-long',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'a message of more than 5 KiB gives way to the fixed one',
    steps: [
      ...define(
        'crd',
        things(
          object({
            f: ruled(
              { type: 'string', maxLength: 6000 },
              { rule: no, message: 'fixed', messageExpression: "'longer ' + self" },
            ),
          }),
        ),
      ),
      tried('short', { f: '{{times:10::a}}' }),
      post('fits', `${thingsPath}?dryRun=All`, thing('tried', { spec: { f: '{{times:5113::a}}' } })),
      post('long', `${thingsPath}?dryRun=All`, thing('tried', { spec: { f: '{{times:5114::a}}' } })),
    ],
    claims: [
      claim('a short one stands', 'short.body.details.causes.0.message', { contains: 'longer aaaaaaaaaa' }),
      claim('5 KiB exactly stands', 'fits.body.details.causes.0.message', { contains: 'longer aaa' }),
      claim('one more does not', 'long.body.details.causes.0.message', { contains: ': fixed' }),
    ],
  },
  {
    id: 'k8-reasons',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'a rule chooses among four reasons',
    steps: [
      ...define(
        'crd',
        things(
          object(
            Object.fromEntries(
              Object.entries(reasons).map(([field, [reason]]) => [
                field,
                ruled(short, { rule: no, message: 'say yes', reason }),
              ]),
            ),
          ),
        ),
      ),
      ...Object.keys(reasons).map((field) => tried(field, { [field]: 'no' })),
      judgeField('unknown', ruled(short, { rule: no, reason: 'FieldValueTooLong' })),
    ],
    claims: [
      ...Object.entries(reasons).flatMap(([field, [reason, says]]) => [
        claim(reason, `${field}.body.details.causes.0.reason`, { is: reason }),
        ...causes(field, field, [[`spec.${field}`, says]]),
      ]),
      ...refused('no other reason', 'unknown', [
        `${at}.x-kubernetes-validations[0].reason`,
        'Unsupported value: "FieldValueTooLong": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
      ]),
    ],
  },
  {
    id: 'k8-values-in-messages',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'a scalar is shown in the text, objects and lists are not',
    steps: [
      ...define(
        'crd',
        things(
          object({
            text: ruled(short, { rule: no, message: 'm' }),
            number: ruled(integer, { rule: 'self > 5', message: 'm' }),
            fraction: ruled({ type: 'number' }, { rule: 'self > 5.0', message: 'm' }),
            truth: ruled({ type: 'boolean' }, { rule: 'self', message: 'm' }),
            rows: ruled(list(text, { maxItems: 5 }), { rule: 'size(self) > 5', message: 'm' }),
            entries: ruled(map(text, { maxProperties: 5 }), { rule: 'size(self) > 5', message: 'm' }),
            shape: ruled(object({ a: text }), { rule: 'has(self.a)', message: 'm' }),
            either: ruled({ 'x-kubernetes-int-or-string': true }, { rule: 'type(self) == string', message: 'm' }),
            items: list(ruled(short, { rule: no, message: 'm' }), { maxItems: 5 }),
            values: map(ruled(short, { rule: no, message: 'm' }), { maxProperties: 5 }),
          }),
        ),
      ),
      tried('text', { text: 'no' }),
      tried('number', { number: 3 }),
      tried('fraction', { fraction: 2.5 }),
      tried('truth', { truth: false }),
      tried('rows', { rows: ['a'] }),
      tried('entries', { entries: { a: 'a' } }),
      tried('shape', { shape: {} }),
      tried('either', { either: 3 }),
      tried('items', { items: ['yes', 'no'] }),
      tried('values', { values: { a: 'no' } }),
    ],
    claims: [
      ...causes('string', 'text', [['spec.text', 'Invalid value: "no": m']]),
      ...causes('integer', 'number', [['spec.number', 'Invalid value: 3: m']]),
      ...causes('number', 'fraction', [['spec.fraction', 'Invalid value: 2.5: m']]),
      ...causes('boolean', 'truth', [['spec.truth', 'Invalid value: false: m']]),
      ...causes('list', 'rows', [['spec.rows', 'Invalid value: m']]),
      ...causes('map', 'entries', [['spec.entries', 'Invalid value: m']]),
      ...causes('object', 'shape', [['spec.shape', 'Invalid value: m']]),
      ...causes('an item', 'items', [['spec.items[1]', 'Invalid value: "no": m']]),
      ...causes('a value of a map', 'values', [['spec.values[a]', 'Invalid value: "no": m']]),
    ],
  },
  {
    id: 'k8-field-path',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'fieldPath moves the complaint below the rule',
    steps: [
      ...define(
        'crd',
        things(
          object({
            o: ruled(
              object({
                a: object({ b: short }),
                m: map(short, { maxProperties: 5 }),
                'x-y': short,
                rows: list(short, { maxItems: 5 }),
              }),
              { rule: "!has(self.a) || self.a.b == 'yes'", message: 'm', fieldPath: '.a.b' },
              { rule: "!has(self.m) || self.m['k.l'] == 'yes'", message: 'm', fieldPath: ".m['k.l']" },
              { rule: "!has(self.x__dash__y) || self.x__dash__y == 'yes'", message: 'm', fieldPath: '.x-y' },
              { rule: '!has(self.rows) || size(self.rows) == 0', message: 'm', fieldPath: '.rows' },
            ),
          }),
        ),
      ),
      tried('nested', { o: { a: { b: 'no' } } }),
      tried('key', { o: { m: { 'k.l': 'no' } } }),
      tried('dash', { o: { 'x-y': 'no' } }),
      tried('list', { o: { rows: ['a'] } }),
      ...Object.entries({
        unknown: '.nope',
        index: '.rows[0]',
        bare: 'a.b',
        root: '.',
        absolute: '.spec.f.a',
        double: '..a',
        blank: ' ',
        broken: '.a\n.b',
      }).map(([step, fieldPath]) =>
        judgeField(
          step,
          ruled(object({ a: object({ b: short }), rows: list(short, { maxItems: 5 }) }), { rule: 'true', fieldPath }),
        ),
      ),
    ],
    claims: [
      claim('relative to the rule', 'nested.body.details.causes.0.field', { is: 'spec.o.a.b' }),
      claim('a key of a map', 'key.body.details.causes.0.field', { is: 'spec.o.m[k.l]' }),
      claim('a name with a dash', 'dash.body.details.causes.0.field', { is: 'spec.o.x-y' }),
      ...refused('exists in the schema', 'unknown', [
        `${at}.x-kubernetes-validations[0].fieldPath`,
        'must be a valid path',
      ]),
      ...refused('never an index', 'index', [`${at}.x-kubernetes-validations[0].fieldPath`, 'must be a valid path']),
      ...refused('begins with a dot', 'bare', [`${at}.x-kubernetes-validations[0].fieldPath`, 'must be a valid path']),
      ...refused('not from the root', 'absolute', [
        `${at}.x-kubernetes-validations[0].fieldPath`,
        'must be a valid path',
      ]),
    ],
  },
  {
    id: 'k8-rule-texts',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'rules and messages are texts of a kind',
    steps: [
      judgeField('no-rule', ruled(short, { rule: '' })),
      judgeField('blank-message', ruled(short, { rule: no, message: ' ' })),
      judgeField('broken-message', ruled(short, { rule: no, message: 'a\nb' })),
      judgeField('broken-rule', ruled(short, { rule: "self ==\n'yes'" })),
      judgeField('broken-rule-expression', ruled(short, { rule: "self ==\n'yes'", messageExpression: "'m'" })),
      judgeField('blank-expression', ruled(short, { rule: no, messageExpression: ' ' })),
      judgeField('number-expression', ruled(short, { rule: no, messageExpression: 'size(self)' })),
      judgeField('expression-syntax', ruled(short, { rule: no, messageExpression: "'a' +" })),
      judgeField('twice', ruled(short, { rule: no }, { rule: no, message: 'again' })),
      apply('applied-twice', `${crdPath}?fieldManager=m&dryRun=All`, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'things.{{group}}' },
        spec: {
          group: '{{group}}',
          scope: 'Namespaced',
          names: { kind: 'Thing', plural: 'things' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: object({
                  spec: object({ f: ruled(short, { rule: no }, { rule: no, message: 'again' }) }),
                }),
              },
            },
          ],
        },
      }),
    ],
    claims: [
      ...refused('a rule is needed', 'no-rule', [`${at}.x-kubernetes-validations[0].rule`, 'rule is not specified']),
      ...refused('a blank message', 'blank-message', [
        `${at}.x-kubernetes-validations[0].message`,
        'must be non-empty if specified',
      ]),
      ...refused('a message with line breaks', 'broken-message', [
        `${at}.x-kubernetes-validations[0].message`,
        'must not contain line breaks',
      ]),
      ...refused('a rule with line breaks needs a message', 'broken-rule', [
        `${at}.x-kubernetes-validations[0].message`,
        'message must be specified if rule contains line breaks',
      ]),
      claim('an expression is none', 'broken-rule-expression.body.code', { is: 422 }),
      ...refused('a blank expression', 'blank-expression', [
        `${at}.x-kubernetes-validations[0].messageExpression`,
        'messageExpression must be non-empty if specified',
      ]),
      ...refused('an expression that is not text', 'number-expression', [
        `${at}.x-kubernetes-validations[0].messageExpression`,
        'messageExpression must evaluate to a string',
      ]),
      claim('an expression that is none at all', 'expression-syntax.body.code', { is: 422 }),
      accepted('the same rule twice passes a create', 'twice'),
    ],
  },
  {
    id: 'k8-not-checked',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'after an error that makes values unusable no rule runs, and the answer says so',
    steps: [
      ...define(
        'crd',
        things(
          ruled(
            object(
              {
                n: { ...integer, maximum: 10 },
                t: { ...text, maxLength: 3, pattern: '^a' },
                e: { ...text, enum: ['a'] },
                rows: list(text, { maxItems: 1 }),
                needed: text,
              },
              { required: ['needed'] },
            ),
            { rule: 'false', message: 'never' },
          ),
        ),
      ),
      tried('type', { needed: 'x', n: 'text' }),
      tried('required', {}),
      tried('enum', { needed: 'x', e: 'b' }),
      tried('too-long', { needed: 'x', t: 'abcd' }),
      tried('too-many', { needed: 'x', rows: ['a', 'b'] }),
      tried('bound', { needed: 'x', n: 11 }),
      tried('pattern', { needed: 'x', t: 'b' }),
    ],
    claims: [
      ...['type', 'required', 'enum', 'too-long', 'too-many'].flatMap((step) => [
        claim(`${step}: one more cause`, `${step}.body.details.causes`, {
          contains: {
            field: '<nil>',
            message:
              'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
          },
        }),
        claim(`${step}: two causes`, `${step}.body.details.causes`, { length: 2 }),
      ]),
      ...['bound', 'pattern'].map((step) =>
        claim(`${step}: rules run all the same`, `${step}.body.details.causes`, {
          contains: { field: 'spec', message: 'Invalid value: never' },
        }),
      ),
    ],
  },
];
