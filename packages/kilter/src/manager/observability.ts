import { type BindAddress, parseBindAddress } from '../config/index.ts';
import type { MetricsRegistry } from '../telemetry/index.ts';
import { type Answer, type Answerer, type Endpoint, serve } from './endpoints.ts';
import { type Check, type Checks, probe } from './probes.ts';

export interface ObservedOperator {
  readonly metricsAddress: string;
  readonly probeAddress: string;
  readonly metrics: MetricsRegistry;
  /** Why it is not ready; undefined while it is. */
  readonly readiness: () => string | undefined;
  /** The same of its webhooks; undefined without any. */
  readonly webhookReadiness?: Check | undefined;
  /** The user's own. */
  readonly checks?: {
    readonly healthz: Readonly<Record<string, Check>>;
    readonly readyz: Readonly<Record<string, Check>>;
  };
}

function metricsAnswer({ pathname }: URL, metrics: MetricsRegistry): Answer | undefined {
  if (pathname !== '/metrics') return undefined;
  return { status: 200, contentType: 'text/plain; version=0.0.4; charset=utf-8', body: metrics.text() };
}

async function probeAnswer(url: URL, operator: ObservedOperator): Promise<Answer | undefined> {
  const { readiness, webhookReadiness, checks } = operator;
  const healthz: Checks = new Map<string, Check>([['ping', () => undefined], ...Object.entries(checks?.healthz ?? {})]);
  const readyz: Checks = new Map<string, Check>([
    ['caches', readiness],
    ...(webhookReadiness === undefined ? [] : [['webhooks', webhookReadiness] as const]),
    ...Object.entries(checks?.readyz ?? {}),
  ]);
  const found = await probe(url, { healthz, readyz });
  return found === undefined ? undefined : { ...found, contentType: 'text/plain; charset=utf-8' };
}

/** Opens the metrics and probe servers; none of them stays open if one cannot be. */
export async function openEndpoints(operator: ObservedOperator): Promise<readonly Endpoint[]> {
  const { metrics, metricsAddress, probeAddress } = operator;
  const wanted: [string, BindAddress | undefined, Answerer][] = [
    ['metrics', parseBindAddress(metricsAddress, 'the metrics address'), (url) => metricsAnswer(url, metrics)],
    ['probes', parseBindAddress(probeAddress, 'the probe address'), (url) => probeAnswer(url, operator)],
  ];
  const opened: Endpoint[] = [];
  try {
    for (const [what, address, answer] of wanted) {
      if (address !== undefined) opened.push(await serve(what, address, answer));
    }
    return opened;
  } catch (error) {
    for (const endpoint of opened) await endpoint.close();
    throw error;
  }
}
