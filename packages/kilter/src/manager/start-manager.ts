import { betweenSteps, processReadings, watchLoopDelay } from '../internal/index.ts';
import { ForeignRegistries, registerProcessMetrics, watchLoop } from '../telemetry/index.ts';
import { candidateOf } from './candidate.ts';
import { compose, type Composed, type StartEnvironment } from './compose.ts';
import { tellWarnings } from './definition-warnings.ts';
import type { Endpoint } from './endpoints.ts';
import { Lifecycle } from './lifecycle.ts';
import { type Manager, runningManager } from './manager.ts';
import { MetricsAccess } from './metrics-access.ts';
import { openEndpoints } from './observability.ts';
import type { ResolvedOperatorOptions } from './options.ts';
import { limitedChecks } from './probes.ts';
import { metricsCertificate } from './secure-metrics.ts';
import { tracingOf } from './tracing.ts';
import { webhookPartOf } from './webhooks.ts';

/** Of the event loop, in milliseconds: as long as the default lease. */
const defaultStall = 15_000;
async function runAndClose(lifecycle: Lifecycle, close: () => Promise<void>): Promise<void> {
  try {
    await lifecycle.run();
  } finally {
    await close();
  }
}

/** Composes an operator and starts it; it runs on after this returns. */
export async function startManager(options: ResolvedOperatorOptions, environment: StartEnvironment): Promise<Manager> {
  try {
    return await start(options, environment);
  } catch (error) {
    await environment.own?.close();
    throw error;
  }
}

interface Observed extends Pick<Composed, 'reviewer' | 'journal' | 'metrics'> {
  readonly readiness: () => string | undefined;
  readonly webhookReadiness: (() => Promise<string | undefined>) | undefined;
}

/** Opens what is served about the operator: metrics, probes, and the journal where it is asked for. */
function opener(
  options: ResolvedOperatorOptions,
  { runtime: { clock }, logger, serve }: StartEnvironment,
  { reviewer, journal, metrics, readiness, webhookReadiness }: Observed,
): () => Promise<readonly Endpoint[]> {
  if (!serve) return () => Promise.resolve([]);
  const { metricsAddress, probeAddress, debugAddress, registries, secureMetrics } = options;
  const { healthz, readyz } = options.checks;
  const checks = { healthz: limitedChecks(healthz, clock), readyz: limitedChecks(readyz, clock) };
  const foreign = new ForeignRegistries({ registries, clock, logger });
  const secured = secureMetrics && {
    access: new MetricsAccess({ client: reviewer, clock, logger }),
    certificate: () => metricsCertificate(secureMetrics, { clock, logger, metrics }),
  };
  const served = { metricsAddress, probeAddress, debugAddress, metrics, foreign, secured, runs: journal };
  return () => openEndpoints({ ...served, readiness, webhookReadiness, checks });
}

async function start(options: ResolvedOperatorOptions, environment: StartEnvironment): Promise<Manager> {
  const { runtime, connection } = environment;
  tellWarnings(options.controllers, environment.logger);
  const tracing = await tracingOf(options, environment.logger);
  const candidate = await candidateOf(options, { runtime, contextNamespace: connection.namespace });
  await betweenSteps(runtime.clock);
  const composed = compose(options, { ...environment, tracing }, candidate);
  const { parts, clientUntil, metrics, gate } = composed;
  const { logger, webhooks: place } = environment;
  const contextNamespace = connection.namespace;
  await betweenSteps(runtime.clock);
  const webhooks = await webhookPartOf(options, { clientUntil, runtime, logger, metrics, contextNamespace, place });
  const stop = new AbortController();
  const signals = environment.signal === undefined ? [stop.signal] : [stop.signal, environment.signal];
  const readiness = (): string | undefined => lifecycle.readiness();
  const open = opener(options, environment, {
    ...composed,
    readiness,
    webhookReadiness: webhooks && (() => webhooks.readiness()),
  });
  const lifecycle: Lifecycle = new Lifecycle({ ...parts, webhooks, openEndpoints: open }, AbortSignal.any(signals));
  const loop = watchLoopDelay();
  const running = (): string[] => [...parts.runners.running, ...parts.replicaRunners.running];
  const limit = candidate.election?.leaseDuration ?? defaultStall;
  const watchdog =
    environment.watchdog === true && options.watchdog ? watchLoop({ limit, running, logger }) : undefined;
  environment.uncaught?.catch((error: unknown) => {
    gate.shut('something was thrown that nobody caught');
    logger.error({ err: error, running: running() }, 'an error that nobody caught: the operator stops');
  });
  registerProcessMetrics(metrics, processReadings(runtime.clock.now()), loop);
  const done = runAndClose(lifecycle, async () => {
    loop.stop();
    await watchdog?.stop();
    await environment.own?.close();
  });
  // A failure is logged where it happens; whoever awaits `done` gets it, and nobody has to.
  done.catch(() => undefined);
  const stopAndWait = (): Promise<void> => {
    stop.abort(new Error('stopped'));
    return done;
  };
  const stopping = AbortSignal.any(signals);
  return runningManager(composed, { lifecycle, done, stopping, stop: stopAndWait });
}
