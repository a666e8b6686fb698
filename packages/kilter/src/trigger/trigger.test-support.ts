import { keyOf, type Kind, kind, type KubeObject, type NamedRef, type ObjectMeta, refOfKey } from '../api/index.ts';
import type { ChangeHandler, Informer, ObjectChange } from '../cache/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { type Work, workQueue } from '../queue/index.ts';
import { jsonLogger, MetricsRegistry } from '../telemetry/index.ts';
import { primariesOf } from './primaries.ts';
import { StartGate } from './start-gate.ts';

export const WebApp: Kind = kind({
  group: 'example.com',
  version: 'v1',
  kind: 'WebApp',
  plural: 'webapps',
  scope: 'Namespaced',
});
export const Fleet: Kind = kind({
  group: 'example.com',
  version: 'v1',
  kind: 'Fleet',
  plural: 'fleets',
  scope: 'Cluster',
});
export const ConfigMap: Kind = kind({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});

/** A store and its handlers, without a server. */
export class FakeInformer implements Pick<Informer, 'kind' | 'handle' | 'index' | 'by' | 'refs' | 'get'> {
  readonly kind: Kind;
  readonly objects = new Map<string, KubeObject>();
  readonly handlers = new Set<ChangeHandler>();
  readonly indexes = new Map<string, (object: KubeObject) => readonly string[]>();

  constructor(of: Kind) {
    this.kind = of;
  }
  handle(handler: ChangeHandler): () => void {
    this.handlers.add(handler);
    return () => void this.handlers.delete(handler);
  }
  index(name: string, keys: (object: KubeObject) => readonly string[]): void {
    this.indexes.set(name, keys);
  }
  by(index: string, key: string): readonly NamedRef[] {
    const keys = this.indexes.get(index);
    return [...this.objects].filter(([, object]) => keys?.(object).includes(key)).map(([found]) => refOfKey(found));
  }
  get(key: string): KubeObject | undefined {
    return this.objects.get(key);
  }
  refs(): readonly NamedRef[] {
    return [...this.objects.keys()].map(refOfKey);
  }
  emit(change: Partial<ObjectChange> & Pick<ObjectChange, 'type' | 'key'>): void {
    const ref = refOfKey(change.key);
    const rest = { number: -1, resourceVersion: '7', before: undefined, after: undefined };
    const flags = { initial: false, resync: false, finalStateUnknown: false };
    for (const handler of this.handlers) handler({ ref, ...rest, ...flags, ...change });
  }
  add(object: KubeObject): void {
    this.objects.set(keyOf(object), object);
    this.emit({ type: 'add', key: keyOf(object), after: object });
  }
  update(before: KubeObject, after: KubeObject): void {
    this.objects.set(keyOf(after), after);
    this.emit({ type: 'update', key: keyOf(after), before, after });
  }
}

export const named = (key: string, metadata: Partial<ObjectMeta> = {}, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { ...refOfKey(key), ...metadata },
  ...more,
});

export function setup(primary: Kind = WebApp) {
  const runtime = virtualRuntime();
  const lines: Record<string, unknown>[] = [];
  const metrics = new MetricsRegistry();
  const logger = jsonLogger({ write: (line) => lines.push(JSON.parse(line)), now: () => 0 });
  const queue = workQueue({ name: 'webapp', runtime, fairness: 'off' });
  const gate = new StartGate();
  gate.open();
  const context = { controller: 'webapp', queue, clock: runtime.clock, gate, logger, metrics };
  const primaries = new FakeInformer(primary);
  const other = new FakeInformer(ConfigMap);
  const view = primariesOf({ ...context, informer: primaries, indexes: [] });
  const woken = async (): Promise<string[]> => {
    const works: Work[] = [];
    while (queue.depth > 0) works.push((await queue.take()) as Work);
    for (const work of works) queue.done(work, { type: 'forget' });
    return works.map((work) => work.key);
  };
  return { context, queue, clock: runtime.clock, lines, metrics, primaries, other, view, woken };
}

export const broken = (): never => {
  throw new Error('broken');
};
