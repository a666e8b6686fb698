import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JSONSchemaProps } from '../k8s/apiextensions/v1.ts';
import { condition, customResource, immutable, listMap, listSet, rule } from './index.ts';

class Shop extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  shortNames: ['sh'],
  categories: ['all'],
  description: 'A shop.\n\n# of customers: *many*',
  spec: z
    .object({
      name: z.string().min(1).max(63).describe('The <b>name</b> | what\npeople see.').meta(immutable()),
      size: z.enum(['s', 'l']).default('s').describe('Deprecated.'),
      ports: z
        .array(z.object({ name: z.string(), number: z.int().min(1).lt(65536) }))
        .max(9)
        .meta(listMap('name')),
      tags: z
        .array(z.string().regex(/^a|`b`$/))
        .meta(listSet())
        .optional(),
      until: z.iso.datetime().nullable().optional(),
      limit: z.union([z.int(), z.string()]).optional(),
    })
    .meta(rule('self.size == "s" || size(self.ports) > 0', 'a large shop has ports')),
  columns: [{ name: 'Size', path: '.spec.size', priority: 1, description: 's or l' }],
  selectable: ['.spec.name'],
  versions: { v1beta1: { spec: z.object({ name: z.string() }), deprecated: 'use v1', served: false } },
}).converts({
  v1beta1: { up: ({ name }) => ({ name, ports: [] }), down: ({ name }) => ({ name }) },
}) {}

// Written by hand.
const page = `# Shop

A shop.

\\# of customers: \\*many\\*

|  |  |
|---|---|
| Kind | \`Shop\` |
| Group | \`example.com\` |
| Resource | \`shops.example.com\` |
| Scope | Namespaced |
| Short names | \`sh\` |
| Categories | \`all\` |

## Versions

| Version | Served | Stored | Deprecated |
|---|---|---|---|
| [\`v1\`](#v1) | yes | yes | no |
| [\`v1beta1\`](#v1beta1) | no | no | use v1 |

## v1

\`apiVersion: example.com/v1\`

### Fields of v1

| Field | Type | Required | Default | Description |
|---|---|---|---|---|
| <a id="v1-spec"></a>[\`spec\`](#v1-spec) | object | yes |  |  |
| <a id="v1-spec.name"></a>[\`spec.name\`](#v1-spec.name) | string | yes |  | The &lt;b&gt;name&lt;/b&gt; \\| what<br>people see.<br>at least 1, at most 63 characters. |
| <a id="v1-spec.size"></a>[\`spec.size\`](#v1-spec.size) | string |  | \`"s"\` | Deprecated.<br>one of \`"s"\`, \`"l"\`. |
| <a id="v1-spec.ports"></a>[\`spec.ports\`](#v1-spec.ports) | list of object, one for each \`name\` | yes |  | at most 9 items. |
| <a id="v1-spec.ports..name"></a>[\`spec.ports[*].name\`](#v1-spec.ports..name) | string | yes |  |  |
| <a id="v1-spec.ports..number"></a>[\`spec.ports[*].number\`](#v1-spec.ports..number) | integer | yes |  | at least 1; less than 65536. |
| <a id="v1-spec.tags"></a>[\`spec.tags\`](#v1-spec.tags) | list of string, each once |  |  |  |
| <a id="v1-spec.tags."></a>[\`spec.tags[*]\`](#v1-spec.tags.) | string |  |  | matches \`\`^a\\|\`b\`$\`\`. |
| <a id="v1-spec.until"></a>[\`spec.until\`](#v1-spec.until) | string (date-time) or null |  |  |  |
| <a id="v1-spec.limit"></a>[\`spec.limit\`](#v1-spec.limit) | integer or string |  |  |  |

### Rules of v1

| Of | Rule | Holds | Message |
|---|---|---|---|
| [\`spec\`](#v1-spec) | \`self.size == "s" \\|\\| size(self.ports) > 0\` | always | a large shop has ports |
| [\`spec.name\`](#v1-spec.name) | \`self == oldSelf\` | on update | cannot be changed once it is set |

### Columns of v1

| Column | Type | Path | Shown | Description |
|---|---|---|---|---|
| Size | string | \`.spec.size\` | with \`-o wide\` | s or l |
| Age | date | \`.metadata.creationTimestamp\` | always |  |

### Selectable fields of v1

- \`.spec.name\`

## v1beta1

\`apiVersion: example.com/v1beta1\`

### Fields of v1beta1

| Field | Type | Required | Default | Description |
|---|---|---|---|---|
| <a id="v1beta1-spec"></a>[\`spec\`](#v1beta1-spec) | object | yes |  |  |
| <a id="v1beta1-spec.name"></a>[\`spec.name\`](#v1beta1-spec.name) | string | yes |  |  |
`;

describe('the reference page of a resource', () => {
  test('says everything of every version', () => {
    expect(Shop.docs()).toBe(page);
    expect(Shop.docs()).toBe(Shop.docs());
  });

  test('an older version gives the same page', () => expect(Shop.at('v1beta1').docs()).toBe(page));

  test('keeps descriptions whole where the manifest shortens them', () => {
    const Thing = customResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Thing',
      spec: z.object({ a: z.string().describe('Long words.') }),
      descriptions: 'none',
    });
    expect(JSON.stringify(Thing.manifest())).not.toContain('Long words.');
    expect(Thing.docs()).toContain('Long words.');
  });

  test('scale, unions, conditions and rules with expressions', () => {
    const Thing = customResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Thing',
      rules: [
        rule('size(self.metadata.name) < 9', 'short', { messageExpression: '"no " + self.metadata.name' }),
        rule('oldSelf.hasValue()', 'on create too', { optionalOldSelf: true }),
      ],
      spec: z.object({
        n: z.int(),
        u: z.discriminatedUnion('t', [
          z.object({ t: z.literal('a'), a: z.string().min(2) }),
          z.object({ t: z.literal('b') }),
        ]),
      }),
      status: z.object({ n: z.int().optional() }),
      columns: [{ name: 'Ready', path: condition('Ready') }],
      scale: { spec: '.spec.n', status: '.status.n' },
    });
    const docs = Thing.docs();
    expect(docs).toContain('| `.spec.n` | `.status.n` |  |');
    expect(docs).toContain('| the object | `oldSelf.hasValue()` | always | on create too |');
    expect(docs).toContain('| the object | `size(self.metadata.name) < 9` | always | `"no " + self.metadata.name` |');
    expect(docs).toContain(
      'exactly one holds: `a`, `t` set, `t`: one of `"a"`, `a`: at least 2 characters; or `t` set, `t`: one of `"b"`.',
    );
    expect(docs).toContain('`.status.conditions[?(@.type=="Ready")].status`');
  });
});

/** Every place of a schema, as the page names it. */
function pathsIn(schema: JSONSchemaProps, path: string): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const place = /^[\w$-]+$/.test(name) ? `${path}.${name}` : `${path}[${name}]`;
    return [place, ...pathsIn(property, place)];
  });
  const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  const inner = schema.items ?? values;
  return inner === undefined ? own : [...own, ...pathsIn(inner, `${path}[*]`)];
}

describe('whatever the schema', () => {
  const leaf = fc.constantFrom<z.ZodType>(z.string(), z.int().optional(), z.boolean().default(true), z.any());
  const name = fc.stringMatching(/^[a-z][a-zA-Z./-]{0,6}$/);
  const { schema: tree } = fc.letrec<{ schema: z.ZodType }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.dictionary(name, tie('schema'), { maxKeys: 3 }).map((shape) => z.object({ ...shape })),
      tie('schema').map((inner) => z.array(inner)),
      tie('schema').map((inner) => z.record(z.string(), inner)),
    ),
  }));

  test('every field is on the page once, with an anchor of its own', () => {
    fc.assert(
      fc.property(fc.dictionary(name, tree, { maxKeys: 4 }), (shape) => {
        const { metadata: _reserved, ...fields } = shape;
        const Thing = customResource({
          group: 'example.com',
          version: 'v1',
          kind: 'Thing',
          spec: z.object({ ...fields }),
        });
        const schema = Thing.manifest().spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'] ?? {};
        const docs = Thing.docs();
        const anchors = [...docs.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id);
        expect(new Set(anchors).size).toBe(anchors.length);
        for (const path of pathsIn(schema, 'spec')) expect(docs.split(`[\`${path}\`](`).length).toBe(2);
      }),
      { numRuns: 50 },
    );
  });

  test('no description breaks out of its cell', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '|', '`', '<', '>', '&', '*', '_', '[', ']', '\\', '\n', '\r', ' ') }),
        (text) => {
          const spec = z.object({ a: z.string().describe(text) });
          const docs = customResource({ group: 'example.com', version: 'v1', kind: 'Thing', spec }).docs();
          const row = docs.split(/\r\n|\r|\n/).filter((line) => line.startsWith('| <a id="v1-spec.a">'));
          expect(row).toHaveLength(1);
          // Five cells: bars that are not escaped.
          expect(row[0]?.replaceAll(/\\[^]/g, '').split('|')).toHaveLength(7);
          expect(row[0]?.replaceAll(/<a id="v1-spec.a"><\/a>|<br>/g, '')).not.toMatch(/[<>]/);
        },
      ),
      { numRuns: 100 },
    );
  });
});
