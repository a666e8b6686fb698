import { Buffer } from 'node:buffer';
import { isRequestUri } from '../formats/index.ts';
import { LibraryValue } from './value.ts';

const form = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/s;

/** What may be in a path as it is. */
const notInPath = /[^A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]/gu;

function escapedPath(path: string): string {
  return path.replace(notInPath, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

/** A URL as Go reads the target of a request. */
export class Url extends LibraryValue {
  readonly typeName = 'kubernetes.URL';
  readonly text: string;
  readonly scheme: string;
  /** With its port. */
  readonly host: string;
  /** Escaped. */
  readonly path: string;
  readonly #query: string;

  constructor(text: string) {
    super();
    this.text = text;
    const [, scheme = '', authority = '', path = '', query = ''] = form.exec(text) ?? [];
    this.scheme = scheme.toLowerCase();
    this.host = authority.slice(authority.lastIndexOf('@') + 1);
    this.path = escapedPath(path);
    this.#query = query;
  }

  static parse(text: string): Url | undefined {
    return isRequestUri(text) ? new Url(text) : undefined;
  }

  get hostname(): string {
    const bracketed = /^\[([^\]]*)\]/.exec(this.host)?.[1];
    return bracketed ?? this.host.replace(/:\d*$/, '');
  }

  get port(): string {
    return /:(\d*)$/.exec(this.host.replace(/^\[[^\]]*\]/, ''))?.[1] ?? '';
  }

  /** Values by key, in order. */
  get query(): Map<string, string[]> {
    const values = new Map<string, string[]>();
    for (const [key, value] of new URLSearchParams(this.#query)) {
      values.set(key, [...(values.get(key) ?? []), value]);
    }
    return values;
  }

  equals(other: LibraryValue): boolean {
    return other instanceof Url && other.text === this.text;
  }
}
