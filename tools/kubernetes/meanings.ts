// What members mean, in our words: one line each, by the name of the member, or by component and member where the name alone
// does not say it.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { metaGroup } from './facts.ts';

/** A component with its group: names such as Event and Subject stand for several. */
export interface Owner {
  /** `core`, `apps`, `rbac`: the folder of its module. */
  readonly group: string;
  /** `DeploymentSpec` */
  readonly name: string;
}

const folder = resolve(import.meta.dirname, 'meanings');
const deprecationsFile = 'deprecations.txt';
const line = /^(?:(?<group>[a-z]+)\/)?(?<key>\*?[\w$.-]+): (?<text>\S.*)$/;

function readLines(files: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const lines = files.flatMap((file) => readFileSync(resolve(folder, file), 'utf8').split('\n'));
  for (const text of lines.filter((one) => one !== '' && !one.startsWith('#'))) {
    const { group = '', key = '', text: meaning = '' } = line.exec(text)?.groups ?? {};
    if (meaning === '') throw new Error(`no meaning in the line ${text}`);
    const name = group === '' ? key : `${group}/${key}`;
    if (found.has(name)) throw new Error(`two meanings of ${name}`);
    found.set(name, meaning);
  }
  return found;
}

/** The most exact line that speaks of a member. */
class Lookup {
  readonly lines: ReadonlyMap<string, string>;
  /** Which lines were asked for: one that is not is of a member that is gone. */
  readonly used: Set<string> = new Set();

  constructor(lines: ReadonlyMap<string, string>) {
    this.lines = lines;
  }

  find(keys: readonly string[]): string | undefined {
    const key = keys.find((one) => this.lines.has(one));
    if (key === undefined) return undefined;
    this.used.add(key);
    return this.lines.get(key);
  }
}

export class Meanings {
  readonly #members: Lookup;
  readonly #deprecations: Lookup;

  constructor() {
    const files = readdirSync(folder).filter((name) => name !== deprecationsFile);
    this.#members = new Lookup(readLines(files.toSorted()));
    this.#deprecations = new Lookup(readLines([deprecationsFile]));
  }

  /** Undefined where nobody has written what the member means: the generator refuses that. */
  of({ group, name }: Owner, member: string): string | undefined {
    // `*Condition.status`: of all components whose name ends so.
    const family = /[A-Z][a-z]+$/.exec(name)?.[0] ?? '';
    const keys = [`${group}/${name}.${member}`, `${name}.${member}`, `*${family}.${member}`, member];
    return this.#members.find(keys);
  }

  /** What to do instead of a deprecated member, or of a whole deprecated component. */
  insteadOf({ group, name }: Owner, member?: string): string | undefined {
    const path = member === undefined ? name : `${name}.${member}`;
    return this.#deprecations.find([`${group}/${path}`, path, ...(member === undefined ? [] : [member])]);
  }

  /** Lines that were not asked for. */
  get unused(): string[] {
    return [this.#members, this.#deprecations].flatMap(({ lines, used }) =>
      [...lines.keys()].filter((key) => !used.has(key)),
    );
  }
}

export function ownerOf(facts: { group: string }, name: string): Owner {
  const label = facts.group === metaGroup ? metaGroup : facts.group.split('.')[0];
  return { group: label === '' || label === undefined ? 'core' : label, name };
}
