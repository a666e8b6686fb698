// Informers without a server: what they hold and tell is what a test puts into them.
import {
  keyOf,
  type Kind,
  kind,
  type KubeObject,
  type ManagedFieldsEntry,
  type NamedRef,
  refOfKey,
} from '../api/index.ts';
import type { ChangeHandler, Informer, ObjectChange } from '../cache/index.ts';

export const App = kind<KubeObject>({
  group: 'example.com',
  version: 'v1',
  kind: 'App',
  plural: 'apps',
  scope: 'Namespaced',
});
export const Part = kind<KubeObject>({
  group: 'example.com',
  version: 'v1',
  kind: 'Part',
  plural: 'parts',
  scope: 'Namespaced',
});
export type Keys = (object: KubeObject) => readonly string[];

export class FakeInformer {
  readonly kind: Kind;
  readonly objects = new Map<string, KubeObject>();
  readonly handlers = new Set<ChangeHandler>();
  constructor(of: Kind) {
    this.kind = of;
  }
  handle(handler: ChangeHandler): () => void {
    this.handlers.add(handler);
    return () => void this.handlers.delete(handler);
  }
  index(): void {
    // Indexes of references, which no test here asks for.
  }
  covers(namespace: string | undefined): boolean {
    return namespace !== 'elsewhere';
  }
  has(key: string): boolean {
    return this.objects.has(key);
  }
  get(key: string): KubeObject | undefined {
    return this.objects.get(key);
  }
  stored(key: string): { decode: () => KubeObject } | undefined {
    const object = this.objects.get(key);
    return object && { decode: () => structuredClone(object) };
  }
  managedFieldsOf(): ManagedFieldsEntry[] {
    return [];
  }
  refs(): NamedRef[] {
    return [...this.objects.keys()].map(refOfKey);
  }
  emit(type: ObjectChange['type'], object: KubeObject): void {
    const key = keyOf(object);
    const before = type === 'add' ? undefined : (this.objects.get(key) ?? object);
    if (type === 'delete') this.objects.delete(key);
    else this.objects.set(key, object);
    const flags = { initial: false, resync: false, finalStateUnknown: false };
    const after = type === 'delete' ? undefined : object;
    const change = { type, key, ref: refOfKey(key), resourceVersion: '7', before, after, ...flags };
    for (const handler of this.handlers) handler(change as ObjectChange);
  }
}

/** A cache that only keeps who asked it for what. */
export class FakeCache {
  readonly informers: FakeInformer[] = [];
  readonly indexes = new Map<string, Keys>();
  readonly declared: object[] = [];
  informer(declaration: { kind: Kind }): Informer {
    const informer = new FakeInformer(declaration.kind);
    const by = (name: string, key: string, user: string): NamedRef[] => {
      const keys = this.indexes.get(`${declaration.kind.names.kind} ${name} of ${user}`);
      return [...informer.objects].flatMap(([at, object]) => (keys?.(object).includes(key) ? refOfKey(at) : []));
    };
    this.informers.push(Object.assign(informer, { by }));
    this.declared.push(declaration);
    return informer as unknown as Informer;
  }
  index(of: Kind, { name, user, keys }: { name: string; user: string; keys: Keys }): void {
    this.indexes.set(`${of.names.kind} ${name} of ${user}`, keys);
  }
}

/** One of the objects. */
export const objectOf = (of: Kind, name: string, more: object = {}): KubeObject =>
  ({ apiVersion: 'example.com/v1', kind: of.names.kind, metadata: { name, namespace: 'n', ...more } }) as KubeObject;
