import { parseBindAddress } from '../config/index.ts';
import {
  contentTypes,
  exposition,
  type ForeignRegistries,
  type Journal,
  type MetricsRegistry,
  negotiate,
} from '../telemetry/index.ts';
import { debugAnswer } from './debug-answers.ts';
import { type Answer, type Endpoint, type Question, serve } from './endpoints.ts';
import type { MetricsAccess } from './metrics-access.ts';
import { type Check, type Checks, probe } from './probes.ts';
import type { ServerCertificate } from './secure-metrics.ts';

export interface ObservedOperator {
  readonly metricsAddress: string;
  readonly probeAddress: string;
  /** Default: '0'. */
  readonly debugAddress?: string | undefined;
  /** What is told there. */
  readonly runs?: Pick<Journal, 'recent'> | undefined;
  readonly metrics: MetricsRegistry;
  /** Served over HTTPS, to those the API server lets. Default: plain HTTP, to everybody. */
  readonly secured?:
    | { readonly access: Pick<MetricsAccess, 'refusal'>; readonly certificate: () => Promise<ServerCertificate> }
    | undefined;
  /** Registries of others that are served with it. Default: none. */
  readonly foreign?: ForeignRegistries | undefined;
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

async function metricsAnswer(asked: Question, operator: ObservedOperator): Promise<Answer | undefined> {
  const { url, accept, authorization } = asked;
  // Before the path is looked at: strangers need not learn what there is.
  const refusal = await operator.secured?.access.refusal(authorization, url.pathname);
  if (refusal !== undefined) return { ...refusal, contentType: 'text/plain; charset=utf-8' };
  if (url.pathname !== '/metrics') return undefined;
  const format = negotiate(accept);
  const own = operator.metrics.families();
  const others = (await operator.foreign?.families(own)) ?? [];
  return { status: 200, contentType: contentTypes[format], body: exposition([...own, ...others], format) };
}

async function probeAnswer({ url }: Question, operator: ObservedOperator): Promise<Answer | undefined> {
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
  const { metricsAddress, probeAddress, debugAddress = '0', runs, secured } = operator;
  const metrics = parseBindAddress(metricsAddress, 'the metrics address');
  const probes = parseBindAddress(probeAddress, 'the probe address');
  const debug = parseBindAddress(debugAddress, 'the debug address');
  const opened: Endpoint[] = [];
  try {
    if (metrics !== undefined) {
      const certificate = await secured?.certificate();
      opened.push(await serve('metrics', metrics, { answer: (asked) => metricsAnswer(asked, operator), certificate }));
    }
    if (probes !== undefined) opened.push(await serve('probes', probes, (asked) => probeAnswer(asked, operator)));
    if (debug !== undefined && runs !== undefined) {
      opened.push(await serve('debug', debug, (asked) => debugAnswer(asked, runs)));
    }
    return opened;
  } catch (error) {
    for (const endpoint of opened) await endpoint.close();
    throw error;
  }
}
