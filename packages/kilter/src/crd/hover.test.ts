import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const workspace = resolve(import.meta.dirname, '../../../..');

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly items?: readonly unknown[] };
  readonly result?: unknown;
}

/** As much of an editor as asks what to show when the pointer rests on a word. */
class Editor {
  readonly #server: ChildProcessWithoutNullStreams;
  /** Who waits for which answer. */
  readonly #waiting = new Map<number, (message: Message) => void>();
  /** What has arrived and is not a whole message yet. */
  #rest = Buffer.alloc(0);
  #last = 0;

  constructor() {
    const compiler = resolve(workspace, 'node_modules/typescript/bin/tsc');
    this.#server = spawn(process.execPath, [compiler, '--lsp', '--stdio'], { cwd: workspace });
    this.#server.stdout.on('data', (chunk: Buffer) => {
      this.#rest = Buffer.concat([this.#rest, chunk]);
      while (this.#take());
    });
  }

  async open(uri: string, text: string): Promise<void> {
    const capabilities = { textDocument: { hover: { contentFormat: ['plaintext'] } } };
    await this.request('initialize', { processId: process.pid, rootUri: pathToFileURL(workspace).href, capabilities });
    this.#send({ method: 'initialized', params: {} });
    this.#send({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
    });
  }

  request(method: string, params: object): Promise<Message> {
    const id = ++this.#last;
    this.#send({ id, method, params });
    return new Promise((answer) => this.#waiting.set(id, answer));
  }

  async close(): Promise<void> {
    await this.request('shutdown', {});
    this.#send({ method: 'exit' });
    this.#server.stdin.end();
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  /** Handles one whole message; `false` if there is none. */
  #take(): boolean {
    const head = this.#rest.indexOf('\r\n\r\n');
    if (head < 0) return false;
    const length = Number(/Content-Length: (\d+)/.exec(this.#rest.subarray(0, head).toString())?.[1]);
    const end = head + 4 + length;
    if (this.#rest.length < end) return false;
    const message = JSON.parse(this.#rest.subarray(head + 4, end).toString()) as Message;
    this.#rest = this.#rest.subarray(end);
    const { id, method, params } = message;
    // The server asks for settings, and has none.
    if (id !== undefined && method !== undefined) this.#send({ id, result: params?.items?.map(() => null) ?? null });
    else if (id !== undefined) this.#waiting.get(id)?.(message);
    return true;
  }
}

const source = `
import { controller } from 'kilter';
import { customResource, listMap } from 'kilter/crd';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { z } from 'zod';

export class WebApp extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'WebApp',
  spec: z.object({
    image: z.string().min(1),
    replicas: z.int().min(0).max(100).default(1),
    env: z.array(z.object({ name: z.string(), value: z.string() })).meta(listMap('name')).default([]),
  }),
  status: z.object({ availableReplicas: z.int().optional() }),
}) {}

export class Shop extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({ image: z.string() }),
  versions: { v1alpha1: { spec: z.object({ img: z.string() }) } },
}).converts({
  v1alpha1: { up: (before) => ({ image: before.img }), down: (after) => ({ img: after.image }) },
}) {}

export const Plain = customResource({ group: 'example.com', version: 'v1', kind: 'Plain', spec: z.object({ a: z.string() }) });
export type Plain = typeof Plain.prototype;

export const built = WebApp.build({ name: 'shop', spec: { image: 'nginx:1.27' } });
export const some = WebApp.fields({ name: 'shop', spec: { replicas: 3 } });
export const parsed = WebApp.parse({});
export const shop = Shop.build({ name: 'shop', spec: { image: 'a' } });
export const webapps = controller(WebApp).owns(ConfigMap).reconcile(async (app, ctx) => {
  const spec = app.spec;
  const status = app.status;
  const replicas = app.spec.replicas;
  const namespace = app.metadata.namespace;
  const applied = await ctx.apply(ConfigMap.build({ name: 'x' }));
  const updated = await ctx.client.update(applied);
  await ctx.client.edit(updated, (draft) => void (draft.data = {}));
  const found = await ctx.client.find(ConfigMap, 'x');
  void [spec, status, replicas, namespace, found];
});
`;

const uri = pathToFileURL(resolve(workspace, 'examples/webapp/src/hover.ts')).href;
let editor: Editor;

beforeAll(async () => {
  editor = new Editor();
  await editor.open(uri, source);
}, 60_000);
afterAll(() => editor.close());

/** What an editor shows at the last word of a text. */
async function hover(text: string): Promise<string> {
  const start = source.indexOf(text);
  expect(start, text).toBeGreaterThan(0);
  const before = source.slice(0, start + text.length - 1).split('\n');
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  const { result } = await editor.request('textDocument/hover', { textDocument: { uri }, position });
  return (result as { contents?: { value?: string } } | null)?.contents?.value ?? 'nothing';
}

describe('what an editor shows', () => {
  test('the document has no errors', async () => {
    const { result } = await editor.request('textDocument/diagnostic', { textDocument: { uri } });
    expect((result as { items: unknown[] }).items).toEqual([]);
  }, 60_000);

  test.each([
    ['a class of a resource', 'export class WebApp', 'class WebApp'],
    ['a class with older versions', 'export class Shop', 'class Shop'],
    ['the object in a reconciler', 'reconcile(async (app', '(parameter) app: Stored<WebApp>'],
    ['what an apply answers', 'const applied', 'const applied: Stored<ConfigMap>'],
    ['what an update of it answers', 'const updated', 'const updated: Stored<ConfigMap>'],
    ['a draft of it', '(draft', '(parameter) draft: Draft<ConfigMap>'],
    ['what a read may find', 'const found', 'const found: Stored<ConfigMap> | undefined'],
    ['its namespace', 'const namespace', 'const namespace: string'],
    ['what build makes', 'export const built', 'const built: WebApp'],
    ['what parse makes', 'export const parsed', 'const parsed: WebApp'],
    ['what fields makes', 'export const some', 'const some: FieldsOf<WebApp>'],
    ['an object of a class with older versions', 'export const shop', 'const shop: Shop'],
    ['a field', 'const replicas', 'const replicas: number'],
    [
      'a spec',
      'const spec',
      'const spec: {\n    image: string;\n    replicas: number;\n    env: {\n        name: string;\n        value: string;\n    }[];\n}',
    ],
    [
      'a status',
      'const status',
      'const status: ({\n    availableReplicas?: number | undefined;\n} & CommonStatus) | undefined',
    ],
    ['an older spec in a conversion', 'up: (before', '(parameter) before: {\n    img: string;\n}'],
    [
      'a type of the const form',
      'export type Plain',
      'type Plain = CustomObject<"example.com/v1", "Plain", {\n    a: string;\n}>',
    ],
    ['a controller', 'export const webapps', 'const webapps: Controller<WebApp>'],
  ])('%s', async (_, at, shown) => expect(await hover(at)).toBe(shown), 60_000);
});
