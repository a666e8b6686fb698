import type { KindName, KubeObject, Kind } from '../api/index.ts';
import { type Clock, systemClock } from '../internal/index.ts';
import type { Logger, Metrics } from '../telemetry/index.ts';
import type { Session, Transport } from '../transport/index.ts';
import { accessReview } from './access-review.ts';
import type { Client, ManagedClient } from './client.ts';
import { deleting } from './deleting.ts';
import { changesDiscovery, type Discovery, kindLookup, serverDiscovery } from './discovery.ts';
import { checkOptions } from './option-names.ts';
import { invalidOption } from './option-values.ts';
import type { ClientDefaults, EditOptions } from './options.ts';
import { logRequest, PodLog } from './pod-logs.ts';
import type { WithRawReads } from './raw-reads.ts';
import type { RequestDefaults } from './read-requests.ts';
import { reading } from './reading.ts';
import { serverVersion } from './server-version.ts';
import { subresources } from './subresources.ts';
import { writing } from './writing.ts';

export interface ClientOptions {
  /** The field manager of writes that name none, applies excepted. Default: the user agent's, chosen by the server. */
  readonly manager?: string | undefined;
  /** What an edit does that says nothing of conflicts. Default: 'fail'. */
  readonly editConflict?: EditOptions['conflict'];
  /** Every write but a dry run is leader-only work: the transport's gate is asked before each attempt. Default: false. */
  readonly guarded?: boolean | undefined;
  /** The pool of connections for all requests but watches. Default: 'default'. */
  readonly session?: Session | undefined;
  /** The deadline of each request, over all its attempts, in milliseconds. Default: the transport's. */
  readonly deadline?: number | undefined;
  /** For writes, in milliseconds; also sent to the server. Default: `deadline`. */
  readonly writeDeadline?: number | undefined;
  /** Measures how long what was discovered is kept, and how rare a message is. Default: the system's. */
  readonly clock?: Pick<Clock, 'monotonic' | 'pause'> | undefined;
  /** Told of what a watch sends and is not a change. Default: silent. */
  readonly logger?: Logger | undefined;
  readonly metrics?: Metrics | undefined;
  /** What disposing the client closes. Default: nothing, because a transport is shared. */
  readonly close?: (() => Promise<void>) | undefined;
}

/** Typed verbs over a transport. Holds nothing but the kinds it has discovered. */
export function createClient(transport: Transport, options: ClientOptions = {}): Client & WithRawReads {
  const { clock = systemClock } = options;
  const discovery = serverDiscovery(transport, { session: options.session, deadline: options.deadline, clock });
  return assemble(transport, discovery, { ...options, clock });
}

/** With what `with` has said on purpose. */
type Resolved = ClientOptions &
  RequestDefaults & { readonly clock: Pick<Clock, 'monotonic' | 'pause'>; readonly ownNamespace?: string | undefined };

function assemble(transport: Transport, discovery: Discovery, options: Resolved): Client & WithRawReads {
  const { ownNamespace } = options;
  const defaults = { ...options, ownNamespace, namespace: ownNamespace ?? transport.namespace };
  const lookup = kindLookup(discovery);
  const wrote = (kind: KindName): void => {
    if (changesDiscovery(kind)) discovery.forget();
  };
  const written = { ...defaults, lookup, wrote };
  return {
    discovery,
    ...reading(transport, { ...options, namespace: ownNamespace, fallback: transport.namespace }),
    ...writing(transport, written),
    ...deleting(transport, written, reading(transport, { ...options, fallback: transport.namespace }).each),
    ...subresources(transport, written),
    can: accessReview(transport, defaults),
    logs: (pod, wanted = {}) => {
      checkOptions('logs', wanted);
      return new PodLog(transport, logRequest(pod, wanted, defaults), wanted.maxLineBytes);
    },
    kind: async <T extends KubeObject>(
      apiVersion: string,
      kind: string,
      wanted: { signal?: AbortSignal | undefined } = {},
    ) => {
      checkOptions('kind', wanted);
      return { names: await lookup({ apiVersion, kind }, wanted.signal) } as unknown as Kind<T>;
    },
    version: async (wanted) => {
      checkOptions('version', wanted);
      return serverVersion(transport, defaults, wanted);
    },
    with: (more: ClientDefaults) =>
      assemble(transport, discovery, { ...options, ...resolved(more, options), close: undefined }) as ManagedClient,
    [Symbol.asyncDispose]: () => options.close?.() ?? Promise.resolve(),
  };
}

/** What is not said stays as it was; what is dry stays dry. */
function resolved(more: ClientDefaults, before: Resolved): Partial<Resolved> {
  checkOptions('with', more);
  const { namespace, dryRun, manager, fieldValidation, deadline } = more;
  if (deadline !== undefined && !(Number.isFinite(deadline) && deadline > 0)) {
    throw invalidOption(`deadline: ${String(deadline)} is not a number of milliseconds above 0`);
  }
  return {
    ...(namespace !== undefined && { ownNamespace: namespace }),
    ...(manager !== undefined && { manager, applyManager: manager }),
    ...(fieldValidation !== undefined && { fieldValidation }),
    ...(deadline !== undefined && { deadline }),
    dryRun: before.dryRun === true || dryRun === true,
  };
}
