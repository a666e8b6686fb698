// The table's cases, judged by a server that is spoken to over HTTP: the embedded one or a real one.
import type { Json, JsonObject } from 'kilter/api';
import { apiVersionOf } from 'kilter/api';
import { type Case, earlierKindOf, kindOf, librariesOf, type Row, type TableKind } from './row.test-support.ts';
import { objectOf } from './validated.test-support.ts';
import {
  inWords,
  mismatches,
  problemMismatches,
  type Seen,
  type SeenProblem,
  unknownIn,
} from './verdict.test-support.ts';

export interface Answer {
  readonly code: number;
  readonly body: JsonObject;
  /** The texts of warnings. */
  readonly warnings: readonly string[];
}

export interface Server {
  send(method: string, path: string, body?: Json): Promise<Answer>;
  /** Lets changes of definitions take effect. */
  settle(): Promise<void>;
}

/** The texts of a `Warning` header, of which there may be several in one. */
export function warningTexts(header: string): string[] {
  return [...header.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, said = '']) => said.replaceAll('\\"', '"'));
}

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** One row in the form of one library, or of several whose manifests do not differ. */
export interface ServedRow {
  readonly row: Row;
  readonly kind: TableKind;
  readonly libraries: string;
  /** What the server said of the definition. */
  definition?: Answer;
}

/** The rows a server can judge: those whose definition Kilter accepts. */
export function servable(table: readonly Row[]): ServedRow[] {
  return table.flatMap((row) => {
    if (row.refused !== undefined) return [];
    const bySchema = new Map<string, ServedRow>();
    for (const library of librariesOf(row)) {
      const kind = kindOf(row, library);
      const schema = JSON.stringify(kind.manifest().spec.versions);
      const known = bySchema.get(schema);
      bySchema.set(schema, {
        row,
        kind: known?.kind ?? kind,
        libraries: [known?.libraries, library].filter(Boolean).join(', '),
      });
    }
    return [...bySchema.values()];
  });
}

function collectionOf({ names }: TableKind): string {
  const namespace = names.scope === 'Namespaced' ? '/namespaces/default' : '';
  return `/apis/${apiVersionOf(names)}${namespace}/${names.plural}`;
}

/** Runs `act` for each item, some at a time: a server takes its time over definitions. */
export async function inTurns<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  width: number = 8,
): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Installs all definitions, with the old objects of rows that had another schema before. */
export async function install(rows: readonly ServedRow[], server: Server): Promise<void> {
  const firstKind = ({ row, kind }: ServedRow): TableKind => (row.earlier === undefined ? kind : earlierKindOf(row));
  await inTurns(rows, async (served) => {
    served.definition = await server.send('POST', definitions, firstKind(served).manifest());
  });
  const accepted = rows.filter(({ definition }) => definition?.code === 201);
  await inTurns(accepted, ({ kind }) => served(kind, server));
  const changed = accepted.filter(({ row }) => row.earlier !== undefined);
  await inTurns(changed, async ({ row, kind }) => {
    for (const [index, { from }] of row.cases.entries()) {
      if (from !== undefined)
        await mustSend(server, ['POST', collectionOf(kind)], objectOf(kind, from, `case-${index}`));
    }
    const stored = await mustSend(server, ['GET', `${definitions}/${nameOf(kind)}`]);
    const manifest = kind.manifest();
    const { resourceVersion } = stored['metadata'] as JsonObject;
    await mustSend(server, ['PUT', `${definitions}/${nameOf(kind)}`], {
      ...manifest,
      metadata: { ...(manifest['metadata'] as JsonObject), resourceVersion: resourceVersion ?? '' },
    } as unknown as Json);
  });
  if (changed.length > 0) await server.settle();
}

function nameOf({ names }: TableKind): string {
  return `${names.plural}.${names.group}`;
}

/** Resolves once the server answers for a kind. */
async function served(kind: TableKind, server: Server): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const { code } = await server.send('GET', collectionOf(kind));
    if (code === 200) return;
    await server.settle();
  }
  throw new Error(`${kind.names.plural} is not served`);
}

async function mustSend(server: Server, [method, path]: [string, string], body?: Json): Promise<JsonObject> {
  const { code, body: answer } = await server.send(method, path, body);
  if (code >= 300)
    throw new Error(`${method} ${path}: ${code} ${JSON.stringify(answer)}, sent ${JSON.stringify(body)}`);
  return answer;
}

function problemsIn({ code, body }: Answer): SeenProblem[] {
  const causes = ((body['details'] as JsonObject | undefined)?.['causes'] ?? []) as JsonObject[];
  if (code === 422) {
    return causes.map(({ field, reason, message }) => ({
      field: (field as string | undefined) ?? '',
      reason: reason as string,
      message: (message as string | undefined) ?? '',
    }));
  }
  return code < 300 ? [] : [{ field: 'body', reason: body['reason'] as string, message: body['message'] as string }];
}

/** What a server and a row disagree on about the definition: the ends of the fields are stated, not the whole. */
export function definitionMismatches({ row, definition }: ServedRow): string[] {
  if (definition === undefined) return ['was not sent'];
  const wanted = row.refusedLater?.problems ?? [];
  const ends = wanted.map((problem) => problem.split(' ')[0] ?? '');
  const shortened = problemsIn(definition).map((problem) => ({
    ...problem,
    field: ends.find((end) => problem.field.endsWith(end)) ?? problem.field,
  }));
  return problemMismatches(wanted, shortened);
}

/** What a server and a row disagree on, case by case. */
export async function caseMismatches(row: ServedRow, server: Server): Promise<string[]> {
  const problems: string[] = [];
  for (const [index, wanted] of row.row.cases.entries()) {
    const { seen, generation } = await judged(row, wanted, { server, name: `case-${index}` });
    const found = mismatches(wanted, seen);
    if (wanted.generation !== undefined && wanted.generation !== generation) {
      found.push(`generation is ${generation}, not ${wanted.generation}`);
    }
    problems.push(...found.map((text) => `${inWords(wanted)}: ${text}`));
  }
  return problems;
}

interface Asked {
  readonly server: Server;
  readonly name: string;
}

async function judged(
  { row, kind }: ServedRow,
  wanted: Case,
  { server, name }: Asked,
): Promise<{ seen: Seen; generation: number | undefined }> {
  const collection = collectionOf(kind);
  const { metadata } = wanted.object as { metadata?: JsonObject };
  const query = wanted.fieldValidation === undefined ? '' : `?fieldValidation=${wanted.fieldValidation}`;
  const own = objectOf(kind, wanted.object, name);
  const answer = await (wanted.from === undefined ? server.send('POST', `${collection}${query}`, own) : replaced());
  return {
    seen: { problems: problemsIn(answer), object: answer.body, unknown: unknownIn(answer.warnings) },
    generation: (answer.body['metadata'] as { generation?: number } | undefined)?.generation,
  };

  async function replaced(): Promise<Answer> {
    const path = `${collection}/${(metadata?.['name'] as string | undefined) ?? name}`;
    if (row.earlier === undefined) await create(wanted.from as JsonObject);
    if (wanted.act === 'read') return server.send('GET', path);
    const { metadata: now } = (await mustSend(server, ['GET', path])) as { metadata: JsonObject };
    const sent = {
      ...own,
      metadata: { ...(own['metadata'] as JsonObject), resourceVersion: now['resourceVersion'] ?? '' },
    };
    return server.send('PUT', `${path}${wanted.act === 'status' ? '/status' : ''}${query}`, sent);
  }

  async function create(from: JsonObject): Promise<void> {
    const old = objectOf(kind, from, name);
    const { status } = from;
    const created = await mustSend(server, ['POST', collection], old);
    if (status === undefined || created['status'] !== undefined) return;
    await mustSend(server, ['PUT', `${collection}/${name}/status`], { ...created, status });
  }
}
