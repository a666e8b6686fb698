import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../k8s/apiextensions/v1.ts';
import { usesOldSelf } from './cel-text.ts';
import { constraints, type DocumentedField, fieldsBelow, typeText } from './docs-field.ts';
import { cell, code, paragraphs, table } from './markdown.ts';

/**
 * A reference page in Markdown: names, versions, and for each version its fields with types, defaults, constraints and
 * rules. The same manifest gives the same page.
 */
export function docsPage({ spec }: CustomResourceDefinition): string {
  const { group, names, scope, versions } = spec;
  const description = versions.map((version) => version.schema?.openAPIV3Schema?.description).find(Boolean);
  const list = (words: readonly string[] = []): string => words.map(code).join(', ');
  const facts: [string, string][] = [
    ['Kind', code(names.kind)],
    ['Group', code(group)],
    ['Resource', code(`${names.plural}.${group}`)],
    ['Scope', scope],
    ['Short names', list(names.shortNames)],
    ['Categories', list(names.categories)],
  ];
  return [
    `# ${names.kind}`,
    ...(description === undefined ? [] : [paragraphs(description)]),
    table(
      ['', ''],
      facts.filter(([, value]) => value !== ''),
    ),
    '## Versions',
    table(['Version', 'Served', 'Stored', 'Deprecated'], versions.map(versionRow)),
    ...versions.flatMap((version) => versionSection(version, `${group}/${version.name}`)),
  ]
    .join('\n\n')
    .concat('\n');
}

const yes = (is: boolean | undefined): string => (is === true ? 'yes' : 'no');

function versionRow({
  name,
  served,
  storage,
  deprecated,
  deprecationWarning,
}: CustomResourceDefinitionVersion): string[] {
  const note = deprecationWarning === undefined ? yes(deprecated) : cell(deprecationWarning);
  return [`[${code(name)}](#${name})`, yes(served), yes(storage), note];
}

function versionSection(version: CustomResourceDefinitionVersion, apiVersion: string): string[] {
  const root = version.schema?.openAPIV3Schema ?? {};
  // What every object has is known to every reader.
  const common = new Set(['apiVersion', 'kind', 'metadata']);
  const own = Object.fromEntries(Object.entries(root.properties ?? {}).filter(([name]) => !common.has(name)));
  const fields = fieldsBelow({ ...root, properties: own }, '');
  return [
    `## ${version.name}`,
    `${code(`apiVersion: ${apiVersion}`)}`,
    `### Fields of ${version.name}`,
    table(
      ['Field', 'Type', 'Required', 'Default', 'Description'],
      fields.map((field) => fieldRow(field, version.name)),
    ),
    ...rulesSection([{ path: '', schema: root, isRequired: true }, ...fields], version.name),
    ...printingSections(version),
  ];
}

function fieldRow({ path, schema, isRequired }: DocumentedField, version: string): string[] {
  const anchor = anchorOf(version, path);
  return [
    `<a id="${anchor}"></a>[${code(path)}](#${anchor})`,
    typeText(schema),
    isRequired ? 'yes' : '',
    schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
    describe(schema),
  ];
}

/** One for each path: what a link cannot hold is spelled by its number. */
export function anchorOf(version: string, path: string): string {
  const slug = path
    .replaceAll('[*]', '.')
    .replaceAll(/[^\w.-]/gu, (character) => `~${(character.codePointAt(0) ?? 0).toString(16)}`);
  return `${version}-${slug}`;
}

function describe(schema: DocumentedField['schema']): string {
  const { title, description, example, externalDocs } = schema;
  const sentences = constraints(schema);
  return [
    ...(title === undefined ? [] : [`**${cell(title)}**`]),
    ...(description === undefined ? [] : [cell(description)]),
    ...(sentences.length === 0 ? [] : [`${sentences.join('; ')}.`]),
    ...(example === undefined ? [] : [`Example: ${code(JSON.stringify(example))}`]),
    ...(externalDocs?.url === undefined ? [] : [`See ${cell(externalDocs.url)}`]),
  ].join('<br>');
}

function rulesSection(fields: readonly DocumentedField[], version: string): string[] {
  const rows = fields.flatMap(({ path, schema }) =>
    (schema['x-kubernetes-validations'] ?? []).map(({ rule, message, messageExpression, optionalOldSelf }) => [
      path === '' ? 'the object' : `[${code(path)}](#${anchorOf(version, path)})`,
      code(rule),
      usesOldSelf(rule) && optionalOldSelf !== true ? 'on update' : 'always',
      messageExpression === undefined ? cell(message ?? '') : code(messageExpression),
    ]),
  );
  return rows.length === 0 ? [] : [`### Rules of ${version}`, table(['Of', 'Rule', 'Holds', 'Message'], rows)];
}

function printingSections(version: CustomResourceDefinitionVersion): string[] {
  const { name, additionalPrinterColumns: columns = [], subresources, selectableFields = [] } = version;
  const rows = columns.map((column) => [
    cell(column.name),
    column.type,
    code(column.jsonPath),
    column.priority !== undefined && column.priority > 0 ? 'with `-o wide`' : 'always',
    cell(column.description ?? ''),
  ]);
  const scale = subresources?.scale;
  return [
    ...(rows.length === 0
      ? []
      : [`### Columns of ${name}`, table(['Column', 'Type', 'Path', 'Shown', 'Description'], rows)]),
    ...(scale === undefined
      ? []
      : [
          `### Scale of ${name}`,
          table(
            ['Replicas', 'Observed replicas', 'Selector'],
            [
              [
                code(scale.specReplicasPath),
                code(scale.statusReplicasPath),
                scale.labelSelectorPath === undefined ? '' : code(scale.labelSelectorPath),
              ],
            ],
          ),
        ]),
    ...(selectableFields.length === 0
      ? []
      : [`### Selectable fields of ${name}`, selectableFields.map(({ jsonPath }) => `- ${code(jsonPath)}`).join('\n')]),
  ];
}
