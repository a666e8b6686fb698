import type { JsonObject } from 'kilter/api';
import type { NodePort } from '../kinds/index.ts';
import type { Change, Storage } from '../storage/index.ts';
import { metadataOf, objectIn, objectsIn, parseJson, textIn } from '../values/index.ts';

const bucket = '/services';

interface Taken {
  /** By whom, so that a Service is not in its own way. */
  readonly uid: string;
  readonly address: string;
  readonly ports: readonly string[];
}

const portName = ({ number, protocol }: NodePort): string => `${protocol}/${number}`;

function takenBy(text: string): Taken {
  const service = parseJson(text) as JsonObject;
  const spec = objectIn(service, 'spec');
  const ports = objectsIn(spec, 'ports')
    .map((port) => ({ number: Number(port['nodePort'] ?? 0), protocol: textIn(port, 'protocol') }))
    .filter(({ number }) => number !== 0);
  return { uid: textIn(metadataOf(service), 'uid'), address: textIn(spec, 'clusterIP'), ports: ports.map(portName) };
}

/** Who has what: one entry for each Service that has it. */
class Holders {
  readonly #uids = new Map<string, string[]>();

  add(what: string, uid: string): void {
    const held = this.#uids.get(what);
    if (held === undefined) this.#uids.set(what, [uid]);
    else held.push(uid);
  }

  remove(what: string, uid: string): void {
    const left = (this.#uids.get(what) ?? []).filter((one) => one !== uid);
    if (left.length === 0) this.#uids.delete(what);
    else this.#uids.set(what, left);
  }

  hasOtherThan(what: string, uid: string): boolean {
    return this.#uids.get(what)?.some((one) => one !== uid) ?? false;
  }
}

/** What the Services of the cluster have taken, kept along with the store: nobody has to look through all of them. */
export class ServicesInUse {
  readonly #storage: Storage;
  /** By the key of the Service; the holders below have exactly what is in here. */
  readonly #services = new Map<string, Taken>();
  #addresses = new Holders();
  #ports = new Holders();
  readonly close: () => void;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.close = storage.subscribe((change) => this.#follow(change));
  }

  isAddressTaken(address: string): boolean {
    return this.#addresses.hasOtherThan(address, '');
  }

  /** Whether a Service has a port of the nodes, other than the one of this uid. */
  isNodePortTaken(port: NodePort, uid = ''): boolean {
    return this.#ports.hasOtherThan(portName(port), uid);
  }

  /** Begins again with what is stored. */
  restart(): void {
    this.#services.clear();
    this.#addresses = new Holders();
    this.#ports = new Holders();
    for (const { key, text } of this.#storage.list(bucket)) this.#add(key, takenBy(text));
  }

  #follow({ bucket: changed, type, key, text }: Change): void {
    if (changed !== bucket) return;
    this.#drop(key);
    if (type !== 'DELETED') this.#add(key, takenBy(text));
  }

  #add(key: string, taken: Taken): void {
    this.#services.set(key, taken);
    this.#addresses.add(taken.address, taken.uid);
    for (const port of taken.ports) this.#ports.add(port, taken.uid);
  }

  #drop(key: string): void {
    const taken = this.#services.get(key);
    if (taken === undefined) return;
    this.#services.delete(key);
    this.#addresses.remove(taken.address, taken.uid);
    for (const port of taken.ports) this.#ports.remove(port, taken.uid);
  }
}
