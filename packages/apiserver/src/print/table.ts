import type { JsonObject } from 'kilter/api';
import { builtinColumns, nameColumn } from './builtin-columns.ts';
import type { Column } from './column.ts';
import { customColumns, type DeclaredColumn, type ReadPath } from './custom-columns.ts';
import { at, fieldsOf, text } from './fields.ts';
import { type FormVersion, listMetadata, partialOf } from './partial.ts';

/** What printing must know of a resource. */
export interface Printable {
  readonly group: string;
  readonly kind: string;
  readonly custom: boolean;
  readonly columns: readonly DeclaredColumn[];
}

export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  /** Milliseconds since 1970: ages are counted from it. */
  readonly now: number;
  readonly read: ReadPath;
  /** What a row carries of its object; its metadata by default. */
  readonly includeObject?: IncludeObject | undefined;
  /** The list's own metadata; without one, that of the only object. */
  readonly metadata?: JsonObject | undefined;
  /** False leaves out the column definitions, as in a watch after its first event. */
  readonly headers?: boolean | undefined;
  readonly version?: FormVersion | undefined;
}

function columnsOf({ group, kind, custom, columns }: Printable, read: ReadPath): readonly Column[] {
  return custom ? [nameColumn, ...customColumns(columns, read)] : builtinColumns(group, kind);
}

function definitionOf({ name, type, format, description, priority }: Column): JsonObject {
  return { name, type, format, description, priority };
}

function included(object: JsonObject, { includeObject = 'Metadata', version }: TableOptions): JsonObject | null {
  if (includeObject === 'None') return null;
  return includeObject === 'Object' ? object : (partialOf(object, version) ?? null);
}

/** Pods that ended are marked, so that a client can leave them out. */
function conditionsOf(object: JsonObject, { group, kind }: Printable): JsonObject[] {
  const phase = group === '' && kind === 'Pod' ? text(object, 'status', 'phase') : '';
  if (phase !== 'Succeeded' && phase !== 'Failed') return [];
  const message = phase === 'Succeeded' ? 'The pod has completed successfully.' : 'The pod failed.';
  return [{ type: 'Completed', status: 'True', reason: phase, message }];
}

function soleMetadata(objects: readonly JsonObject[]): JsonObject {
  const version = at(objects[0], 'metadata', 'resourceVersion');
  return version === undefined ? {} : { resourceVersion: version };
}

/** The table of a list, or of one object: what `kubectl get` shows. */
export function tableOf(resource: Printable, objects: readonly JsonObject[], options: TableOptions): JsonObject {
  const columns = columnsOf(resource, options.read);
  const rows = objects.map((object) => {
    const conditions = conditionsOf(object, resource);
    return {
      cells: columns.map((one) => one.cell(object, options.now)),
      ...(conditions.length > 0 && { conditions }),
      object: included(object, options),
    };
  });
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version ?? 'v1'}`,
    metadata: options.metadata === undefined ? soleMetadata(objects) : listMetadata(fieldsOf(options.metadata)),
    columnDefinitions: options.headers === false ? null : columns.map(definitionOf),
    rows,
  };
}
