import { formatTime, type JsonObject } from 'kilter/api';
import type { Answer, Call, Registry, ServerClock } from '../calls/index.ts';
import {
  builtinKind,
  Catalog,
  plainlyServed,
  type ResourceDefinition,
  type Served,
  serviceRange,
  type StrategyContext,
  withStrategy,
} from '../kinds/index.ts';
import {
  methodNotAllowed,
  notFound,
  StatusError,
  unknownResource,
  unnamed,
  verbNotSupported,
} from '../status/index.ts';
import { Storage, type StorageLimits, type StorageUsage } from '../storage/index.ts';
import { WatchHub } from '../watch/index.ts';
import { actionOf } from './actions.ts';
import type { AdmissionStep, Authority } from './admission-step.ts';
import { ChangeListeners } from './change-listeners.ts';
import { asStored, AskedConversions, type Converter, withConversions } from './conversions.ts';
import { type Core, load, prefixOf } from './core.ts';
import { crdBucket, CustomResources } from './custom-resources.ts';
import { expireObjects } from './expiry.ts';
import { seedObjects } from './initial-objects.ts';
import { admitConnection } from './pipeline.ts';
import { keepServiceAddresses } from './service-addresses.ts';
import { ServicesInUse } from './services-in-use.ts';
import { SharedObjects } from './shared-objects.ts';
import { type Snapshot, snapshotProblem, SnapshotRefused } from './snapshot.ts';
import * as verbs from './verbs.ts';

export interface RegistryOptions {
  readonly clock: ServerClock;
  /** Uniform in [0, 1): uids, generated names, the length of watches. */
  readonly random: () => number;
  /** The built-in kinds to serve. */
  readonly resources: readonly ResourceDefinition[];
  readonly limits?: Partial<StorageLimits> | undefined;
  /** Who is asked about the changes of clients, in this order; nobody unless given. */
  readonly admission?: readonly AdmissionStep[] | undefined;
  /** Who says what users may do; everybody may do everything unless given. */
  readonly authority?: Authority | undefined;
  /** Who converts objects of definitions that name a webhook; without one their other versions cannot be read or written. */
  readonly converter?: Converter | undefined;
  /** The first ClusterRoles have the rules of those they are made of, as where a controller sees to that. Default: false. */
  readonly aggregatedRoles?: boolean | undefined;
  /** The network of the Services: `10.96.0.0/12` unless given. */
  readonly serviceRange?: string | undefined;
}

export interface ObjectCount {
  readonly group: string;
  readonly plural: string;
  readonly count: number;
}

/** The registry with the handles only its owner holds. */
export interface ServerRegistry extends Registry {
  /** Older resource versions and page tokens expire. */
  compact(): void;
  /** Ends the watches of one kind, or all. */
  breakWatches(kind?: { readonly group: string; readonly kind: string }): void;
  snapshot(): Snapshot;
  /** Replaces everything that is stored, and ends all watches; refuses before anything is changed. */
  restore(snapshot: Snapshot): void;
  usage(): StorageUsage & { readonly watches: number };
  /** How many objects each resource has. */
  objectCounts(): ObjectCount[];
  /** Ends watches and timers. */
  close(): void;
}

const coreEvents = '/events';

/** The served form of a definition: most are stored as they are served. */
function servedOf(definition: ResourceDefinition): Served {
  const { deprecation, secondForm } = builtinKind(definition);
  return { ...plainlyServed(definition), deprecation, ...secondForm };
}

function buildCatalog(resources: readonly ResourceDefinition[], custom: CustomResources): Catalog {
  const catalog = new Catalog();
  const all = resources.map((definition) => {
    const isCrd = `${definition.group}/${definition.plural}` === crdBucket;
    const more = isCrd ? { ...custom.rules(), ...custom.preparing(definition.strategy) } : undefined;
    return servedOf(more === undefined ? definition : withStrategy(definition, more));
  });
  for (const served of all) {
    if (builtinKind(served.definition).secondForm === undefined) catalog.serve([served]);
    else catalog.serveAlso(served);
  }
  return catalog;
}

type Asked = Pick<Call, 'verb' | 'resource' | 'subresource' | 'name'>;

const subresourceVerbs = new Set(['get', 'update', 'patch']);

/** Refuses verbs and subresources the resource does not have. */
function checkServed({ definition }: Served, { verb, subresource, name }: Asked): void {
  if (subresource === undefined) {
    if (!definition.verbs.includes(verb)) throw methodNotAllowed();
    return;
  }
  const standard =
    (subresource === 'status' && definition.hasStatus) || (subresource === 'scale' && definition.scale !== undefined);
  const { subresourceUpdates = {}, updateOnly = [] } = definition.strategy;
  const own = Object.hasOwn(subresourceUpdates, subresource);
  const action = actionOf(definition, subresource);
  if (action !== undefined && verb === 'create') return;
  if (!standard && !own && action === undefined)
    throw definition.custom ? notFound(definition, name ?? '') : unknownResource();
  if (action !== undefined) throw methodNotAllowed();
  if (updateOnly.includes(subresource) ? verb === 'update' : subresourceVerbs.has(verb)) return;
  throw definition.custom ? verbNotSupported(definition, verb) : methodNotAllowed();
}

/** Kinds that cannot be read are not kept. */
const isStored = ({ definition }: Served): boolean => definition.verbs.includes('get');

async function perform(core: Core, served: Served, call: Call): Promise<Answer> {
  verbs.checkNamespace(served, call);
  switch (call.verb) {
    case 'get':
      return verbs.get(core, served, call);
    case 'list':
      return verbs.list(core, served, call);
    case 'watch':
      return verbs.watch(core, served, call);
    case 'create':
      if (call.subresource !== undefined) return verbs.act(core, served, call);
      return isStored(served) ? verbs.create(core, served, call) : verbs.ask(core, served, call);
    case 'update':
      return verbs.update(core, served, call);
    case 'patch':
      return verbs.patch(core, served, call);
    case 'delete':
      return verbs.remove(core, served, call);
    case 'deletecollection':
      return verbs.removeAll(core, served, call);
  }
}

const noConverter: Converter = () =>
  Promise.reject(unnamed('conversion webhook failed: this server was started without anybody to ask one'));

/** The verbs of a call, which may need versions that a webhook makes. */
function performConverted(core: Core, { served, call, converter }: Execution): Promise<Answer> {
  if (served.webhook === undefined) return perform(core, served, call);
  const conversions = new AskedConversions(converter);
  return withConversions(conversions, () => perform({ ...core, conversions }, served, call));
}

interface Execution {
  readonly served: Served;
  readonly call: Call;
  readonly converter: Converter;
}

function servedFor(core: Core, asked: Asked): Served {
  const served = core.catalog.of(asked.resource);
  if (served === undefined) throw unknownResource();
  checkServed(served, asked);
  return served;
}

async function execute(core: Core, call: Call, converter: Converter): Promise<Answer> {
  const served = servedFor(core, call);
  const warned = served.deprecation === undefined ? [] : [served.deprecation];
  try {
    // Who holds a definition of yesterday still means the resource, and gets the schema of today.
    const answer = await performConverted(core, { served, call: { ...call, resource: served.definition }, converter });
    return { ...answer, warnings: [...new Set([...warned, ...answer.warnings])] };
  } catch (error) {
    if (error instanceof StatusError) error.warnings = [...new Set([...warned, ...error.warnings])];
    throw error;
  }
}

function peek(core: Core, definition: ResourceDefinition, namespace: string | undefined): JsonObject[] {
  const served = core.catalog.of(definition);
  if (served === undefined) return [];
  return core.storage.list(served.bucket, prefixOf(served, namespace)).map((stored) => load(core, served, stored));
}

function objectCounts({ catalog, storage }: Core): ObjectCount[] {
  const stored = new Map(catalog.all().map(({ bucket }) => [bucket, storage.list(bucket).length]));
  return [...stored]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([bucket, count]) => {
      const [group = '', plural = ''] = bucket.split('/');
      return { group, plural, count };
    });
}

function bucketOf(catalog: Catalog, { group, kind }: { group: string; kind: string }): string {
  const served = catalog.all().find(({ definition }) => definition.group === group && definition.kind === kind);
  if (served === undefined)
    throw new Error(`no kind ${kind} in group "${group}" is served: name a kind the server knows`);
  return served.bucket;
}

function strategyContext(
  { clock, serviceRange: network }: RegistryOptions,
  services: ServicesInUse,
  sequence: () => number,
): StrategyContext {
  return {
    now: () => formatTime(clock.now()),
    serviceRange: serviceRange(network),
    sequence,
    isAddressTaken: (address) => services.isAddressTaken(address),
    isNodePortTaken: (port) => services.isNodePortTaken(port),
  };
}

const everythingAllowed: Authority = () => ({ allowed: true, reason: '' });

/** The verbs over a fresh store with the objects every cluster starts with. */
export function createRegistry(options: RegistryOptions): ServerRegistry {
  const {
    clock,
    random,
    resources,
    limits,
    admission = [],
    authority = everythingAllowed,
    converter = noConverter,
    aggregatedRoles = false,
  } = options;
  const storage = new Storage({ now: () => clock.now(), limits });
  const hub = new WatchHub({ storage, clock });
  const custom = new CustomResources();
  const services = new ServicesInUse(storage);
  let sequence = 0;
  const core: Core = {
    storage,
    hub,
    catalog: buildCatalog(resources, custom),
    shared: new SharedObjects(),
    services,
    clock,
    random,
    strategyContext: strategyContext(options, services, () => sequence++),
    admission,
    authority,
    conversions: asStored,
  };
  const { catalog } = core;
  const attached = [custom.attach(core), keepServiceAddresses(core)];
  // After those that decide what is served: whoever learns of a definition finds its resource.
  const listeners = new ChangeListeners(core);
  const ends = [...attached, services.close, listeners.close];
  const expiry = expireObjects(core, coreEvents);
  seedObjects(core, { aggregatedRoles });
  const restore = (snapshot: Snapshot): void => {
    const problem = snapshotProblem(snapshot, catalog);
    if (problem !== undefined) throw new SnapshotRefused(problem);
    storage.restore(snapshot);
    core.shared.clear();
    services.restart();
    sequence = snapshot.allocations;
    hub.break();
    custom.restart(core);
    expiry.restart();
  };
  return {
    clock,
    random,
    resources: () => catalog.resources(),
    find: (group, version, plural) => catalog.find(group, version, plural)?.definition,
    findKind: (group, kind) => catalog.resources().find((one) => one.group === group && one.kind === kind),
    check: (asked) => void servedFor(core, asked),
    execute: (call) => execute(core, call, converter),
    admitConnection: async (connection) => {
      const served = catalog.of(connection.resource);
      if (served === undefined) throw unknownResource();
      return admitConnection(core, served, connection);
    },
    peek: (definition, namespace) => peek(core, definition, namespace),
    onChange: (listener) => listeners.add(listener),
    compact: () => storage.compact(),
    breakWatches: (kind) => hub.break(kind === undefined ? undefined : bucketOf(catalog, kind)),
    snapshot: () => ({ form: 'kilter-apiserver/1', allocations: sequence, ...storage.snapshot() }),
    restore,
    objectCounts: () => objectCounts(core),
    usage: () => ({ ...storage.usage(), watches: hub.size }),
    close: () => {
      hub.close();
      for (const end of ends) end();
      expiry.stop();
    },
  };
}
