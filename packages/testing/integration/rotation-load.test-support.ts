// Admissions at a steady rate while the authority of webhook certificates is rotated, on a server that keeps its own time.
import { X509Certificate } from 'node:crypto';
import {
  type Client,
  isTimeout,
  isUnavailable,
  KilterError,
  type Logger,
  type Manager,
  operator,
  validating,
} from 'kilter';
import { createAuthority, issue } from 'kilter/certificates';
import { ValidatingWebhookConfiguration } from 'kilter/k8s/admissionregistration/v1';
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import { type Connection, systemRuntime } from 'kilter/runtime';
import { LoopbackDoor } from '../src/cluster/loopback-door.ts';

const { clock } = systemRuntime;
const day = 86_400_000;
const minute = 60_000;
const ignore = (): void => undefined;
const silent: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => silent };
/** A leaf lives long enough for a machine that is busy with other things; the authority in the Secret is due when they start. */
const lifetimes = { authorityLifetime: '10m', leafLifetime: '20s', settle: '5s', checkEvery: '1s' } as const;

export interface LoadOptions {
  readonly client: Client;
  /** What the replicas use. */
  readonly connection: Connection;
  readonly replicas: number;
  /** Admissions for each second. */
  readonly rate: number;
}

export interface Rotation {
  readonly sent: number;
  /** Why admissions failed; empty where none did. */
  readonly failed: readonly string[];
  /** How many authorities were trusted, one entry for each change. */
  readonly trusted: readonly number[];
  readonly switched: boolean;
  /** How long admissions were sent. */
  readonly seconds: number;
  /** Of one admission with everything the API server does, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const guard = validating(
  ConfigMap,
  // Trust is what is asked about, not how quick a busy machine is.
  { objectSelector: { guarded: 'yes' }, timeout: '30s' },
  (config, review) => void (config.data?.['key'] === undefined && review.deny('data', 'has no key')),
);

/** An authority with less than a third of its life left: whoever finds it begins to replace it. */
async function seed(client: Client): Promise<string> {
  const now = clock.now();
  const signer = createAuthority({ name: 'before', now: now - 7 * minute, days: (10 * minute) / day });
  const leaf = issue(signer, { name: 'x', ipAddresses: ['127.0.0.1'], usage: 'server', now, days: 20_000 / day });
  const texts = {
    'signer.crt': signer.certificate,
    'signer.key': signer.key,
    'tls.crt': leaf.certificate,
    'tls.key': leaf.key,
  };
  const data = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
  );
  const identity = { name: 'guard-webhook-certificates', namespace: 'default' };
  await client.create(Secret.build({ ...identity, labels: { 'kilter.dev/operator': 'guard' }, data }));
  return signer.certificate;
}

async function start({ connection, replicas }: LoadOptions, door: LoopbackDoor): Promise<Manager[]> {
  const url = (port: number): string => {
    door.add(port);
    return door.url;
  };
  const made = operator({
    name: 'guard',
    logger: silent,
    webhooks: [guard],
    webhookServer: { certificates: lifetimes },
  });
  const webhooks = { address: '127.0.0.1:0', url };
  const managers = await Promise.all(Array.from({ length: replicas }, () => made.start({ connection, webhooks })));
  await Promise.all(managers.map(({ ready }) => ready));
  return managers;
}

async function bundle(client: Client): Promise<string[]> {
  const { webhooks = [] } = await client.get(ValidatingWebhookConfiguration, 'guard');
  const text = Buffer.from(webhooks[0]?.clientConfig.caBundle ?? '', 'base64').toString();
  return text.match(/-----BEGIN[^]*?-----END CERTIFICATE-----/g) ?? [];
}

/** As `bundle`; undefined where a busy server did not answer: then it is looked at again. */
async function bundleNow(client: Client): Promise<string[] | undefined> {
  try {
    return await bundle(client);
  } catch (error) {
    const isBusy = error instanceof KilterError && error.code === 'TRANSPORT_BUSY';
    if (isBusy || isTimeout(error) || isUnavailable(error)) return undefined;
    throw error;
  }
}

/** One admission: refused by the webhook itself, else why not. */
async function admission(client: Client): Promise<string | undefined> {
  const asked = ConfigMap.build({ name: 'asked', namespace: 'default', labels: { guarded: 'yes' } });
  const error: unknown = await client.create(asked, { dryRun: true }).catch((thrown: unknown) => thrown);
  const text = error instanceof Error ? error.message : 'admitted without being asked about';
  return text.includes('data: has no key') ? undefined : text;
}

class Load {
  readonly failed: string[] = [];
  readonly times: number[] = [];
  readonly #client: Client;
  readonly #open = new Set<Promise<void>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Sends what is due whether or not answers have come: a slow server is not spared. */
  async run(rate: number, signal: AbortSignal): Promise<void> {
    const begun = clock.monotonic();
    for (let sent = 0; !signal.aborted; sent += 1) {
      const early = begun + (sent * 1000) / rate - clock.monotonic();
      if (early > 0) await clock.sleep(early);
      const one = this.#ask();
      this.#open.add(one);
      void one.then(() => this.#open.delete(one));
    }
    await Promise.all(this.#open);
  }

  async #ask(): Promise<void> {
    const begun = clock.monotonic();
    const problem = await admission(this.#client);
    this.times.push(clock.monotonic() - begun);
    if (problem !== undefined) this.failed.push(problem);
  }

  percentile(part: number): number {
    const sorted = this.times.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  }
}

/** Runs a whole rotation under load: two authorities trusted, the new one signs, the old one goes. */
export async function rotateUnderLoad(options: LoadOptions): Promise<Rotation> {
  const { client, rate } = options;
  const first = await seed(client);
  const door = await LoopbackDoor.open();
  const managers = await start(options, door);
  const load = new Load(client);
  const begun = clock.monotonic();
  const ending = new AbortController();
  const running = load.run(rate, ending.signal);
  const trusted: number[] = [];
  const over = begun + 3 * minute;
  let isOver = false;
  while (!isOver && clock.monotonic() < over) {
    const authorities = await bundleNow(client);
    if (authorities !== undefined && trusted.at(-1) !== authorities.length) trusted.push(authorities.length);
    isOver = authorities?.length === 1 && authorities[0]?.trim() !== first.trim();
    await clock.sleep(250);
  }
  // With the new authority alone as well.
  await clock.sleep(3000);
  const seconds = (clock.monotonic() - begun) / 1000;
  ending.abort();
  await running;
  const [last = ''] = await bundle(client);
  await Promise.all(managers.map((manager) => manager.stop()));
  door.close();
  return {
    sent: load.times.length,
    failed: load.failed,
    trusted,
    switched: isOver && new X509Certificate(last).fingerprint !== new X509Certificate(first).fingerprint,
    seconds,
    p50: load.percentile(0.5),
    p99: load.percentile(0.99),
  };
}
