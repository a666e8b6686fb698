// The mutated requests of `npm run fuzz`, sent to both servers: each is answered with the same code, and a refusal with the same reason.
import { request } from 'node:https';
import { inputsOf } from '../../tools/fuzz/requests.ts';
import { existing, type FuzzedRequest, type RequestTarget, requestTargets } from '../../tools/fuzz/request-targets.ts';
import { embeddedServers } from '../src/embedded.ts';
import { realServers } from '../src/real.ts';
import type { Server } from '../src/server.ts';
import type { Finding } from './count.ts';
import { type Answer, decisionAbout } from './decisions.ts';

/** What a refusal is about: its message without the values in it, so that one class of differences does not hide another. */
function topicOf({ status, message }: Answer): string {
  if (status < 400) return '';
  const words = /"message": ?"((?:[^"\\]|\\.)*)"/.exec(message)?.[1] ?? message;
  return words
    .replace(/\\"(?:[^"\\]|\\\\\\")*\\"/g, '""')
    .replace(/\d+/g, '0')
    .slice(0, 100);
}

// A watch and a list of a revision to come answer in their own time: the first bytes, or this long, are enough.
const patience = 5000;

function reasonOf(text: string): Pick<Answer, 'reason' | 'message'> {
  const reason = /"reason": ?"(\w*)"/.exec(text)?.[1] ?? '';
  return { reason, message: text.slice(0, 300) };
}

function send({ url, ca, tokens }: Server, { method, path, headers, body }: FuzzedRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(body.byteLength) };
    const own = { authorization: `Bearer ${tokens.admin}`, ...length, ...headers };
    const asked = request(`${url}/`, { method, path, ca, headers: own, timeout: patience }, (response) => {
      const status = response.statusCode ?? 0;
      const chunks: Buffer[] = [];
      const done = (): void => resolve({ status, ...reasonOf(Buffer.concat(chunks).toString('utf8')) });
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', done);
      response.on('error', done);
      if (status === 200 && response.headers['transfer-encoding'] === 'chunked') {
        done();
        response.destroy();
      }
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', (error) => resolve({ status: 0, reason: error.message, message: '' }));
    try {
      asked.end(body);
    } catch (error) {
      reject(error as Error);
    }
  });
}

/** Nothing stays: what is taken is taken for a trial. */
function tried({ path, ...rest }: FuzzedRequest): FuzzedRequest {
  if (rest.method === 'GET' || rest.method === 'DELETE') return { ...rest, path };
  return { ...rest, path: `${path}${path.includes('?') ? '&' : '?'}dryRun=All` };
}

/** Takes away what this and earlier runs have left. */
async function clear(server: Server): Promise<void> {
  for (const [path, object] of existing) {
    const { name } = (object as { metadata: { name: string } }).metadata;
    const headers = { 'content-type': 'application/merge-patch+json' };
    await send(server, {
      method: 'PATCH',
      path: `${path}/${name}`,
      headers,
      body: Buffer.from('{"metadata":{"finalizers":null}}'),
    });
    await send(server, { method: 'DELETE', path: `${path}/${name}`, headers: {} });
  }
}

async function prepare(server: Server): Promise<void> {
  for (const [path, object] of existing) {
    await send(server, {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(object)),
    });
  }
}

/** Go walks through a map in another order every time: of two flaws it tells now this one, now that one. */
const attempts = 40;

const isAlike = (a: Answer, b: Answer): boolean => a.status === b.status && a.reason === b.reason;

/** Whether the real server, asked again and again, answers as this one does. */
async function isOneOfTheirs(server: Server, sent: FuzzedRequest, mine: Answer): Promise<boolean> {
  if (sent.method === 'DELETE') return false;
  for (let left = attempts; left > 0; left -= 1) if (isAlike(mine, await send(server, sent))) return true;
  return false;
}

interface Found {
  readonly failures: readonly string[];
  readonly decided: ReadonlyMap<string, number>;
}

async function differencesOf(
  target: RequestTarget,
  servers: readonly [Server, Server],
  { seed, count }: { seed: number; count: number },
): Promise<Found> {
  const groups = new Map<string, { group: string; count: number; example: string }>();
  const decided = new Map<string, number>();
  const inputs = inputsOf(target, seed);
  for (let left = count; left > 0; left -= 1) {
    const sent = tried(target.request(inputs.next().value));
    if (sent.method === 'DELETE') {
      for (const server of servers) await clear(server);
      for (const server of servers) await prepare(server);
    }
    const [mine, real] = await Promise.all([send(servers[0], sent), send(servers[1], sent)]);
    if (isAlike(mine, real) || (await isOneOfTheirs(servers[1], sent, mine))) continue;
    const decision = decisionAbout(sent, mine, real);
    if (decision !== undefined) {
      decided.set(decision, (decided.get(decision) ?? 0) + 1);
      continue;
    }
    const group = `${target.name}: ${mine.status} ${mine.reason} instead of ${real.status} ${real.reason}`;
    const about = `${group}\n${topicOf(mine)}\n${topicOf(real)}`;
    const known = groups.get(about);
    const body = sent.body?.toString('latin1') ?? '';
    const example = `here: ${mine.message.trim()}\n      real: ${real.message.trim()}\n      ${sent.method} ${sent.path} ${JSON.stringify(sent.headers)} ${body}`;
    groups.set(about, {
      group,
      count: (known?.count ?? 0) + 1,
      example: known !== undefined && known.example.length <= example.length ? known.example : example,
    });
  }
  const failures = [...groups.values()].map(
    ({ group, count: times, example }) => `${group} (${times} times), as\n      ${example}`,
  );
  return { failures, decided };
}

export async function requests(options: {
  readonly seed: number;
  readonly count: number;
  readonly focus: string;
}): Promise<Finding[]> {
  const findings: Finding[] = [];
  const all = new Map<string, number>();
  await using embedded = embeddedServers();
  await using real = await realServers();
  await using mine = await embedded.take('api');
  await using theirs = await real.take('api');
  for (const server of [mine, theirs]) {
    await clear(server);
    await prepare(server);
  }
  for (const target of requestTargets) {
    if (!target.name.includes(options.focus)) continue;
    const { failures, decided } = await differencesOf(target, [mine, theirs], options);
    for (const [decision, times] of decided) all.set(decision, (all.get(decision) ?? 0) + times);
    const differing = failures.reduce((sum, text) => sum + Number(/\((\d+) times\)/.exec(text)?.[1] ?? 1), 0);
    findings.push({ on: target.name, count: { passed: options.count - differing, of: options.count, failures } });
  }
  for (const server of [mine, theirs]) await clear(server);
  for (const [decision, times] of all) console.log(`decided (${times} times): ${decision}`);
  return findings;
}
