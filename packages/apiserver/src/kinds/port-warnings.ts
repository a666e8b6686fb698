// What the server says of ports of one Pod that get into each other's way.
import type { JsonObject } from 'kilter/api';
import { quote, textIn } from '../values/index.ts';

export interface PlacedPort {
  readonly port: JsonObject;
  readonly at: string;
}

interface Numbered extends PlacedPort {
  readonly index: number;
}

/** More than an answer has room for: of many equal ports there would be more than memory holds. */
const mostClashes = 1000;

const addressOf = ({ port }: PlacedPort): string => textIn(port, 'hostIP');
const hostOf = ({ port }: PlacedPort): number => Number(port['hostPort'] ?? 0);

/** How two definitions of one port get into each other's way. */
function clash(one: PlacedPort, other: PlacedPort): string {
  const sameHost = hostOf(one) === hostOf(other);
  if (sameHost && addressOf(one) === addressOf(other)) return 'duplicate';
  return sameHost && hostOf(one) !== 0 ? 'dangerously ambiguous' : 'overlapping';
}

/** The definitions so far, by what makes them clash: looking at all of them for each would take too long. */
class Definitions {
  readonly #seen = new Map<string, Numbered[]>();

  add(port: Numbered): void {
    const [host, address] = [hostOf(port), addressOf(port)];
    const groups = [['all'], ['at', host, address]];
    if (host === 0) groups.push(['nowhere']);
    if (address !== '') groups.push(['at some', host]);
    for (const group of groups) {
      const key = keyOf(port, group);
      const list = this.#seen.get(key);
      if (list === undefined) this.#seen.set(key, [port]);
      else list.push(port);
    }
  }

  /** Those that clash with this one, in order. */
  against(port: Numbered): Numbered[] {
    const [host, address] = [hostOf(port), addressOf(port)];
    if (host === 0) return this.#in(port, ['all']);
    const ambiguous = address === '' ? ['at some', host] : ['at', host, ''];
    return [['at', host, address], ['nowhere'], ambiguous]
      .flatMap((group) => this.#in(port, group))
      .toSorted((a, b) => a.index - b.index);
  }

  #in(port: Numbered, group: readonly (string | number)[]): Numbered[] {
    return this.#seen.get(keyOf(port, group)) ?? [];
  }
}

const keyOf = ({ port }: PlacedPort, group: readonly (string | number)[]): string =>
  JSON.stringify([port['containerPort'] ?? 0, textIn(port, 'protocol'), ...group]);

function clashes(ports: readonly PlacedPort[]): string[] {
  const definitions = new Definitions();
  const told: string[] = [];
  for (const [index, placed] of ports.entries()) {
    const port = { ...placed, index };
    for (const other of definitions.against(port)) {
      told.push(`${port.at}: ${clash(port, other)} port definition with ${other.at}`);
      if (told.length === mostClashes) return told;
    }
    definitions.add(port);
  }
  return told;
}

function sharedNames(ports: readonly PlacedPort[]): string[] {
  const places = new Map<string, string>();
  return ports.flatMap(({ port, at }) => {
    const name = textIn(port, 'name');
    const there = places.get(name);
    if (there === undefined) places.set(name, at);
    if (name === '' || there === undefined) return [];
    const used = `services and probes that select ports by name will use ${there}`;
    return [`${at}: duplicate port name ${quote(name)} with ${there}, ${used}`];
  });
}

export const portWarnings = (ports: readonly PlacedPort[]): string[] => [...clashes(ports), ...sharedNames(ports)];
