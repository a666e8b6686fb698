// Replicas of one operator that serve webhooks over TLS behind one address, on the embedded server and a clock that is moved by hand.
import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { type Logger, type Manager, operator, validating, type Webhook } from 'kilter';
import type { Kind } from 'kilter/api';
import { ValidatingWebhookConfiguration } from 'kilter/k8s/admissionregistration/v1';
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import { type VirtualClock, virtualRuntime } from 'kilter/runtime';
import { onTestFinished } from 'vitest';
import { cluster, type EmbeddedCluster } from '../src/cluster/index.ts';
import { LoopbackDoor } from '../src/cluster/loopback-door.ts';

/** Short enough for a whole rotation while certificates of the virtual time are valid in real time too: these begin 5 min early. */
export const lifetimes = { authorityLifetime: '90s', leafLifetime: '27s', settle: '4s', checkEvery: '2s' } as const;
export const secretName = 'guard-webhook-certificates';

const ignore = (): void => undefined;

export interface Told {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function recorder(): { readonly lines: Told[]; readonly logger: Logger } {
  const lines: Told[] = [];
  const at =
    (level: Told['level']) =>
    (fields: object | string, message?: string): void =>
      void lines.push({
        level,
        message: typeof fields === 'string' ? fields : (message ?? ''),
        fields: typeof fields === 'string' ? {} : { ...fields },
      });
  const logger: Logger = {
    debug: ignore,
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  };
  return { lines, logger };
}

const guard = validating(
  ConfigMap,
  { objectSelector: { guarded: 'yes' } },
  (config, review) => void (config.data?.['key'] === undefined && review.deny('data', 'has no key')),
);

export interface Replica {
  readonly manager: Manager;
  readonly clock: VirtualClock;
  readonly lines: readonly Told[];
  readonly port: () => number;
  /** What it shows whoever connects. */
  readonly leaf: () => Promise<X509Certificate>;
}

export interface Replicas {
  readonly env: EmbeddedCluster;
  readonly clock: VirtualClock;
  /** Begins to start one; `clock` of its own where it is to stand still while others continue, `ahead` of them by so many milliseconds. */
  readonly begin: (options?: { clock?: 'own'; ahead?: number }) => Promise<Replica>;
  /** Calls the webhook through the API server. Undefined: it answered; else why it did not. */
  readonly call: () => Promise<string | undefined>;
  readonly secret: () => Promise<Readonly<Record<string, string>>>;
  /** Who the configuration trusts: one text for each certificate. */
  readonly trusted: () => Promise<readonly string[]>;
}

const presented = (port: number): Promise<X509Certificate> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      if (certificate === undefined) reject(new Error('no certificate was shown'));
      else resolve(certificate);
    });
    socket.once('error', reject);
  });

const certificatesIn = (pem: string): string[] => pem.match(/-----BEGIN[^]*?-----END CERTIFICATE-----/g) ?? [];

/** What TLS verifies is real time: the virtual one begins there. */
function realTimeRuntime(now: number): ReturnType<typeof virtualRuntime> {
  const runtime = virtualRuntime();
  runtime.clock.jump(now - runtime.clock.now());
  return runtime;
}

export interface ReplicasOptions {
  readonly certificates?: object | undefined;
  /** Beside the one that `call` is about. Default: none. */
  readonly webhooks?: readonly Webhook[] | undefined;
  /** Installed in the cluster. Default: none. */
  readonly kinds?: readonly Kind[] | undefined;
}

export async function replicasOn(options: ReplicasOptions = {}): Promise<Replicas> {
  // oxlint-disable-next-line no-restricted-globals -- see above
  const runtime = realTimeRuntime(Date.now());
  const env = await cluster({ runtime, kinds: [...(options.kinds ?? [])] });
  const door = await LoopbackDoor.open();
  const managers: Manager[] = [];
  onTestFinished(async () => {
    const stops = managers.map((manager) => manager.stop().catch(ignore));
    await Promise.all([...stops, runtime.clock.advance(60_000)]);
    door.close();
    await env[Symbol.asyncDispose]();
  });
  const begin: Replicas['begin'] = async ({ clock, ahead = 0 } = {}) => {
    const own = clock === 'own' ? realTimeRuntime(runtime.clock.now() + ahead) : runtime;
    const { lines, logger } = recorder();
    let port = 0;
    const url = (chosen: number): string => {
      port = chosen;
      door.add(chosen);
      return door.url;
    };
    const made = operator({
      name: 'guard',
      logger,
      webhooks: [guard, ...(options.webhooks ?? [])],
      cache: { syncTimeout: '5s' },
      webhookServer: { certificates: options.certificates ?? lifetimes },
    });
    const manager = await made.start({
      connection: env.server.connection('operator'),
      runtime: own,
      accessReview: false,
      webhooks: { address: '127.0.0.1:0', url },
    });
    managers.push(manager);
    manager.done.catch(ignore);
    return { manager, clock: own.clock, lines, port: () => port, leaf: () => presented(port) };
  };
  return {
    env,
    clock: runtime.clock,
    begin,
    call: async () => {
      const asked = ConfigMap.build({ name: 'asked', namespace: 'default', labels: { guarded: 'yes' } });
      const error: unknown = await env.client.create(asked, { dryRun: true }).catch((thrown: unknown) => thrown);
      const text = error instanceof Error ? error.message : 'admitted without being asked about';
      return text.includes('data: has no key') ? undefined : text;
    },
    secret: async () => {
      const { data = {} } = await env.client.get(Secret, { name: secretName, namespace: 'default' });
      return Object.fromEntries(
        Object.entries(data).map(([name, text]) => [name, Buffer.from(text, 'base64').toString()]),
      );
    },
    trusted: async () => {
      const { webhooks = [] } = await env.client.get(ValidatingWebhookConfiguration, 'guard');
      return certificatesIn(Buffer.from(webhooks[0]?.clientConfig.caBundle ?? '', 'base64').toString());
    },
  };
}

export const isIssuedBy = (leaf: X509Certificate, authority: string): boolean =>
  leaf.verify(new X509Certificate(authority).publicKey);
