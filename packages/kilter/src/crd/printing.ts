import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresourceScale,
  SelectableField,
} from '../k8s/apiextensions/v1.ts';
import { fieldAt, schemaAtPath, stepsOf } from './place.ts';
import type { Findings } from './problem.ts';
import { intOrString, type Structural } from './structural.ts';

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  /** For example `.spec.image`, or `condition('Ready')`. */
  readonly path: string;
  /** Default: from the schema at the path. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'date' | undefined;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  /** 0: always shown; greater: only with `-o wide`. */
  readonly priority?: number | undefined;
}

export interface Scale {
  /** An integer below `.spec`. */
  readonly spec: string;
  /** An integer below `.status`. */
  readonly status: string;
  /** A string below `.spec` or `.status`, which a HorizontalPodAutoscaler needs. */
  readonly selector?: string | undefined;
}

const text: Structural = { type: 'string' };
const time: Structural = { type: 'string', format: 'date-time' };
const texts: Structural = { type: 'object', additionalProperties: text };

/** What columns may show of metadata; the schema itself says no more than that it is an object. */
const metadata: Structural = {
  type: 'object',
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    uid: text,
    resourceVersion: text,
    generation: { type: 'integer' },
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: { type: 'integer' },
    labels: texts,
    annotations: texts,
    finalizers: { type: 'array', items: text },
    ownerReferences: {
      type: 'array',
      items: {
        type: 'object',
        properties: { apiVersion: text, kind: text, name: text, uid: text, controller: { type: 'boolean' } },
      },
    },
  },
};

export interface Shown {
  readonly columns?: readonly Column[] | undefined;
  /** Whether Age is appended; `true` unless given. */
  readonly age?: boolean | undefined;
}

/** The place of a version in the definition, for messages. */
export interface PrintedVersion {
  readonly root: Structural;
  readonly prefix: string;
  readonly findings: Findings;
}

function refuse({ prefix, key, findings }: PrintedVersion & { key: string }, message: string, cure?: string): void {
  findings.refuse({ code: 'CRD_PATH_INVALID', path: `${prefix}${key}`, message, cure });
}

const ageColumn: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
};

/** The server shows Age by itself only if no column is declared. */
export function columnsOf(
  { columns = [], age = true }: Shown,
  place: PrintedVersion,
): CustomResourceColumnDefinition[] {
  if (columns.length === 0) return [];
  // kubectl writes the names in capitals.
  const heads = columns.map(({ name }) => name.toUpperCase());
  const defined = columns.map((column, i) => {
    const key = `columns[${i}]`;
    if (column.name !== '' && heads.indexOf(column.name.toUpperCase()) < i)
      refuse({ ...place, key }, `"${column.name}" is also the name of another column`, 'give it another name');
    return columnOf(column, place, key);
  });
  return age && !heads.includes('AGE') ? [...defined, ageColumn] : defined;
}

function columnOf(column: Column, place: PrintedVersion, key: string): CustomResourceColumnDefinition {
  const { name, path, format, description, priority } = column;
  const { type } = column;
  if (name === '') refuse({ ...place, key }, 'has no name', 'give it one');
  if (type !== undefined && !columnTypes.has(type))
    refuse({ ...place, key }, `has an unknown type: ${type}`, `use one of ${[...columnTypes].join(', ')}`);
  if (format !== undefined && !columnFormats.has(format))
    refuse({ ...place, key }, `has an unknown format: ${format}`, `use one of ${[...columnFormats].join(', ')}`);
  if (priority !== undefined && !(Number.isInteger(priority) && priority >= 0 && priority < 2 ** 31))
    refuse({ ...place, key }, `has priority ${priority}`, 'give a whole number of at least 0');
  return {
    name,
    type: type === undefined ? typeAt(path, place, key) : given(type, path, { place, key }),
    ...(format !== undefined && { format }),
    ...(description !== undefined && { description }),
    ...(priority !== undefined && { priority }),
    jsonPath: checked(path, place, key),
  };
}

const columnTypes = new Set(['string', 'integer', 'number', 'boolean', 'date']);
const columnFormats = new Set(['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']);

/** A column of another type than its value stays empty, but for strings, which show anything. */
function given(type: string, path: string, { place, key }: { place: PrintedVersion; key: string }): string {
  const found = shownAt(path, place.root);
  const shown = found?.type === undefined || found[intOrString] === true ? undefined : found.type;
  const isNumeric = (name: string | undefined): boolean => name === 'integer' || name === 'number';
  const fits =
    shown === undefined ||
    !columnTypes.has(type) ||
    type === 'string' ||
    type === shown ||
    (type === 'date' && shown === 'string') ||
    (isNumeric(type) && isNumeric(shown));
  if (!fits) refuse({ ...place, key }, `is ${type}, but ${path} is ${shown}`, 'leave the type out');
  return type;
}

function shownAt(path: string, root: Structural): Structural | undefined {
  const steps = stepsOf(path);
  const shown: Structural = { ...root, properties: { ...root.properties, metadata } };
  return steps === undefined ? undefined : schemaAtPath(shown, steps);
}

function checked(path: string, place: PrintedVersion, key: string): string {
  if (shownAt(path, place.root) === undefined) refuse({ ...place, key }, `${path} is not in the schema`);
  return path;
}

function typeAt(path: string, place: PrintedVersion, key: string): string {
  const schema = shownAt(path, place.root);
  if (schema === undefined || schema[intOrString] === true) return 'string';
  if (schema.type === 'string') return schema.format === 'date-time' ? 'date' : 'string';
  if (schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean') return schema.type;
  refuse(
    { ...place, key },
    `${path} is ${schema.type ?? 'of unknown type'}: give the type of the column, or name a plain value`,
  );
  return 'string';
}

export function scaleOf({ spec, status, selector }: Scale, place: PrintedVersion): CustomResourceSubresourceScale {
  checkField({ path: spec, key: 'scale.spec', below: ['.spec.'], types: ['integer'] }, place);
  checkField({ path: status, key: 'scale.status', below: ['.status.'], types: ['integer'] }, place);
  if (selector !== undefined) {
    checkField({ path: selector, key: 'scale.selector', below: ['.spec.', '.status.'], types: ['string'] }, place);
  } else {
    place.findings.warn({
      code: 'CRD_SCALE_SELECTOR',
      path: `${place.prefix}scale`,
      message: 'has no selector, so a HorizontalPodAutoscaler cannot use it',
    });
  }
  return {
    specReplicasPath: spec,
    statusReplicasPath: status,
    ...(selector !== undefined && { labelSelectorPath: selector }),
  };
}

interface Demand {
  readonly path: string;
  readonly key: string;
  readonly below: readonly string[];
  readonly types: readonly string[];
}

function checkField({ path, key, below, types }: Demand, place: PrintedVersion): void {
  if (!below.some((prefix) => path.startsWith(prefix)))
    return refuse({ ...place, key }, `${path} is not below ${below.join(' or ')}`);
  if (/[\\[\]]/.test(path))
    return refuse({ ...place, key }, `${path} has brackets or escapes`, 'name plain fields with dots');
  const schema = fieldAt(place.root, path);
  if (schema === undefined) refuse({ ...place, key }, `${path} is not in the schema, or leads through a list`);
  else if (!types.includes(schema.type ?? ''))
    refuse({ ...place, key }, `${path} is ${schema.type ?? 'of no single type'}, not ${types.join(' or ')}`);
}

/** As many as the server takes for one version. */
const maximumSelectable = 8;

export function selectableOf(paths: readonly string[], place: PrintedVersion): SelectableField[] {
  if (paths.length > maximumSelectable)
    refuse({ ...place, key: 'selectable' }, `has ${paths.length} paths, but only ${maximumSelectable} are allowed`);
  paths.forEach((path, i) => {
    const key = `selectable[${i}]`;
    if (paths.indexOf(path) < i) refuse({ ...place, key }, `${path} appears twice`);
    if (/^\.metadata\b/.test(path)) refuse({ ...place, key }, `${path} is metadata, which has its own selectors`);
    else checkField({ path, key, below: ['.'], types: ['string', 'boolean', 'integer'] }, place);
  });
  return paths.map((jsonPath) => ({ jsonPath }));
}
