// Mutated requests to an embedded server in memory: each is answered in time, none by a fault of the server, and none that is refused
// has changed anything.
import { type ApiServer, apiServer, type ServerResponse } from '@kilter/apiserver';
import { virtualRuntime } from 'kilter/runtime';
import type { Finding } from './fuzz.ts';
import { mutated } from './mutations.ts';
import { mutatedValues } from './mutated-values.ts';
import { existing, type FuzzedRequest, type RequestTarget } from './request-targets.ts';

/** Endless requests of a target, the same for the same seed; of JSON, bytes and values by turns. */
export function* inputsOf({ samples, json }: RequestTarget, seed: number): Generator<Buffer, never> {
  const bytes = mutated(
    samples.map((sample) => (typeof sample === 'string' ? Buffer.from(sample) : sample)),
    seed,
  );
  const values = json ? mutatedValues(samples.map(String), seed) : bytes;
  for (;;) {
    yield bytes.next().value;
    yield values.next().value;
  }
}

// A request takes milliseconds: what takes this long of the CPU would take for ever with a little more of the same.
const longestWork = 500;
// An answer that has not come by then never comes.
const longestWait = 10_000;
// A minute is the most the server takes for a request that is not a watch.
const longestRequest = 61_000;
const mostFindings = 20;
/** What requests have left behind goes after so many that were taken. */
const mostTaken = 200;

export interface FuzzedServer extends AsyncDisposable {
  readonly server: ApiServer;
  /** What waits for time gets it. */
  readonly pass: () => Promise<void>;
  /** Takes it back to what it held before the first request. */
  readonly reset: () => void;
}

export async function fuzzedServer(): Promise<FuzzedServer> {
  const runtime = virtualRuntime();
  const users = { fuzz: { name: 'fuzz', groups: ['system:masters'] } };
  const server = apiServer({ runtime, users, controllers: { gc: false, workloads: false } });
  for (const [path, given] of existing) {
    const body = Buffer.from(JSON.stringify(given));
    const { status, whole } = await server.handle({
      method: 'POST',
      path,
      headers,
      body,
      signal: AbortSignal.timeout(longestWait),
    });
    if (status !== 201) throw new Error(`${path}: ${status} ${Buffer.from(whole ?? []).toString()}`);
  }
  const start = server.snapshot();
  return {
    server,
    pass: () => runtime.clock.advance(longestRequest),
    reset: () => server.restore(start),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

const headers = { authorization: 'Bearer fuzz', 'content-type': 'application/json' };

const spent = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The whole answer; of one that continues, such as a watch, what comes before the client hangs up. */
async function answerOf(
  server: ApiServer,
  { method, path, headers: own, body }: FuzzedRequest,
): Promise<{ status: number; text: string }> {
  const gone = new AbortController();
  const request = {
    method,
    path,
    headers: { authorization: headers.authorization, ...own },
    body,
    signal: gone.signal,
  };
  const response: ServerResponse = await server.handle(request);
  if (response.whole !== undefined)
    return { status: response.status, text: Buffer.from(response.whole).toString('utf8') };
  gone.abort();
  for await (const chunk of response.body) void chunk;
  return { status: response.status, text: '' };
}

/** The answer; the clock continues where it does not come by itself. */
async function inTime<T>(work: Promise<T>, pass: () => Promise<void>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${longestWait} ms`)), longestWait);
  const nudge = setImmediate(() => void pass());
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    clearImmediate(nudge);
  }
}

interface Outcome {
  readonly problem: string | undefined;
  readonly taken: boolean;
}

async function send({ server, pass }: FuzzedServer, request: FuzzedRequest, answer: typeof answerOf): Promise<Outcome> {
  const before = server.registry.usage().revision;
  const start = spent();
  try {
    const { status, text } = await inTime(answer(server, request), pass);
    const took = spent() - start;
    const changed = server.registry.usage().revision !== before;
    if (took > longestWork) return { problem: `took ${Math.round(took)} ms`, taken: changed };
    if (status >= 400 && changed) return { problem: `refused with ${status}, and the store is another`, taken: true };
    // 500 without this reason is what the real server says of some versions and tokens, too.
    if (text.includes('"reason":"InternalError"')) return { problem: text.slice(0, 400), taken: changed };
    return { problem: undefined, taken: changed };
  } catch (error) {
    return { problem: String(error), taken: true };
  }
}

export interface RequestFuzzing {
  readonly seed: number;
  readonly count: number;
  /** Who answers; the server unless given. */
  readonly answer?: typeof answerOf;
}

/** Sends so many mutated requests, and says what went wrong. */
export async function fuzzRequests(
  target: RequestTarget,
  { seed, count, answer = answerOf }: RequestFuzzing,
): Promise<Finding[]> {
  await using fuzzed = await fuzzedServer();
  const inputs = inputsOf(target, seed);
  const findings: Finding[] = [];
  let taken = 0;
  for (let left = count; left > 0 && findings.length < mostFindings; left -= 1) {
    const input = inputs.next().value;
    const request = target.request(input);
    let outcome = await send(fuzzed, request, answer);
    // The garbage collector has its turn at any time: what is slow is slow again.
    if (outcome.problem?.startsWith('took') === true) outcome = await send(fuzzed, request, answer);
    const { problem } = outcome;
    if (problem !== undefined) findings.push({ target: target.name, problem, input: input.toString('base64') });
    if (outcome.taken) taken += 1;
    if (taken >= mostTaken) {
      fuzzed.reset();
      taken = 0;
    }
  }
  return findings;
}
