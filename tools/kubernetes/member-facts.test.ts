// From prose and Go source to facts: the forms that are read, and those that must not be.
import { describe, expect, test } from 'vitest';
import { parseGo } from './go-source.ts';
import { readMembers } from './members.ts';
import { nullFactOf } from './null-facts.ts';
import { isStatedDeprecated, isStatedImmutable, statedDefault, statedLimits } from './stated-facts.ts';

describe('facts in prose', () => {
  test.each<[string, string[], string | undefined]>([
    ['How many. Defaults to 3.', [], '3'],
    ['How long it takes, defaults to 600s. More words.', [], '600'],
    ['Default to 10 seconds.', [], '10'],
    ['Share of all. Defaults to 25%.', [], '25%'],
    ['A policy. Defaults to "Equivalent"', [], 'Equivalent'],
    ['A policy. Defaults to Fail.', ['Ignore', 'Fail'], 'Fail'],
    ['A policy. Defaults to Whatever.', ['Ignore', 'Fail'], undefined],
    ['`Big` (default) or `Small`', ['Big', 'Small'], 'Big'],
    ['A file. Defaults to /dev/some-log.', [], '/dev/some-log'],
    ['Mode bits. Defaults to 0644.', [], '0o644'],
    ['A switch. Default is false.', [], 'false'],
    ['Unset, the default is one.', [], '1'],
    ['Lasts. Defaults to 1 hour.', [], undefined],
    ['Defaults to Yes if it is early, or No otherwise.', ['Yes', 'No'], undefined],
    ['Defaults to 6, unless something else is set.', [], undefined],
    ['Defaults to the empty selector.', [], undefined],
    ['It is there by default.', [], undefined],
  ])('the default in %j', (text, values, expected) => {
    expect(statedDefault(text, values)).toBe(expected);
  });

  test.each([
    ['Must be between 1 and 30.', { min: 1, max: 30 }],
    ['A port, 0 < x < 65536.', { min: 1, max: 65535 }],
    ['Minimum value is 1.', { min: 1 }],
    ['Value must be non-negative integer.', { min: 0 }],
    ['Must be greater than zero.', { min: 1 }],
    ['An octal value between 0000 and 0777.', {}],
    ['A number.', {}],
  ])('the limits in %j', (text, expected) => {
    expect(statedLimits(text)).toEqual(expected);
  });

  test.each([
    ['The field is immutable.', true],
    ['A list. Cannot be updated.', true],
    ['This field was immutable in older versions.', false],
    ['Data that does not change.', false],
  ])('immutable: %j', (text, expected) => {
    expect(isStatedImmutable(text)).toBe(expected);
  });

  test.each([
    ['Deprecated: use something else.', true],
    ['A disk. Deprecated: that disk is gone.', true],
    ['This field is deprecated, and will go.', true],
    ['Says whether this version is deprecated.', false],
    ['Retain, Delete, and Recycle (deprecated).', false],
  ])('deprecated: %j', (text, expected) => {
    expect(isStatedDeprecated(text)).toBe(expected);
  });
});

const source = `
// Color of a thing.
// +enum
type Color string

const (
	// Red is warm.
	Red Color = "Red"
	Blue Color = "Blue"
	Green = Color("Green")
)

// Thing is a thing.
// +k8s:prerelease-lifecycle-gen:introduced=1.9
type Thing struct {
	metav1.TypeMeta \`json:",inline"\`

	// The color.
	// +featureGate=Colors
	Color Color \`json:"color,omitempty" protobuf:"bytes,1,opt,name=color"\`
	Parts []Part \`json:"parts"\`
}
`;

describe('Go source', () => {
  const parsed = parseGo(source);
  test('fields with their types, tags and comments', () => {
    expect(parsed.structs.get('Thing')).toEqual([
      { name: '', goName: 'TypeMeta', number: undefined, type: 'metav1.TypeMeta', options: ['inline'], comment: '' },
      {
        name: 'color',
        goName: 'Color',
        number: 1,
        type: 'Color',
        options: ['omitempty'],
        comment: expect.stringContaining('+featureGate=Colors'),
      },
      { name: 'parts', goName: 'Parts', number: undefined, type: '[]Part', options: [], comment: '' },
    ]);
    expect(parsed.comments.get('Thing')).toContain('introduced=1.9');
  });

  test('the constants of a named string', () => {
    expect(parsed.values.get('Color')).toEqual(['Red', 'Blue', 'Green']);
  });
});

describe('what Go writes as null', () => {
  test.each<[string, string[], object, boolean, string | undefined]>([
    ['[]Part', [], { type: 'array' }, true, 'list'],
    ['[]Part', [], { type: 'array' }, false, 'list'],
    ['[]Part', ['omitempty'], { type: 'array' }, false, undefined],
    ['map[string]string', [], { type: 'object' }, true, 'map'],
    ['[]byte', [], { type: 'string', format: 'byte' }, false, 'gone'],
    ['metav1.Time', ['omitempty'], { $ref: 'x' }, false, 'gone'],
    ['metav1.MicroTime', [], { $ref: 'x' }, true, 'null'],
    ['*metav1.Time', ['omitempty'], { $ref: 'x' }, false, undefined],
    ['*string', [], { type: 'string' }, false, 'gone'],
    ['*string', [], { type: 'string', default: '' }, false, undefined],
    ['*metav1.LabelSelector', [], { $ref: 'x' }, true, undefined],
    ['string', [], { type: 'string' }, true, undefined],
  ])('%s %j %j, required %s: %s', (type, options, schema, required, expected) => {
    expect(
      nullFactOf({ name: 'x', type, options, goName: 'X', number: undefined, comment: '' }, schema, required),
    ).toBe(expected);
  });
});

describe('the facts of members', () => {
  const members = readMembers();
  function* textsIn(value: unknown): Generator<string> {
    if (typeof value === 'string') yield value;
    else if (typeof value === 'object' && value !== null) for (const next of Object.values(value)) yield* textsIn(next);
  }

  test('hold values and no sentences', () => {
    const texts = [...textsIn(members)];
    expect(texts.length).toBeGreaterThan(1000);
    expect(texts.filter((text) => text.length > 60 || text.split(' ').length > 3)).toEqual([]);
  });

  test('all required lists and maps that Go writes as null are known', () => {
    const lists = Object.entries(members).flatMap(([component, { fields = {} }]) =>
      Object.entries(fields)
        .filter(([, fact]) => fact.null === 'list' || fact.null === 'map')
        .map(([name]) => `${component}.${name}`),
    );
    expect(lists).toHaveLength(56);
    expect(lists).toEqual(
      expect.arrayContaining([
        'io.k8s.api.storage.v1.CSINodeSpec.drivers',
        'io.k8s.api.rbac.v1.Role.rules',
        'io.k8s.api.core.v1.LimitRangeSpec.limits',
        'io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerStatus.currentMetrics',
        'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionStatus.conditions',
      ]),
    );
  });
});
