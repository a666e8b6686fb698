import type { User, World } from './case.ts';

/** A server under examination: where it is and who may enter. */
export interface Server {
  readonly name: 'embedded' | 'real';
  /** https://host:port */
  readonly url: string;
  readonly ca: string;
  readonly tokens: Readonly<Partial<Record<User, string>>>;
  /** How long, in milliseconds, a case waits for what the server does in its own time. */
  readonly patience: number;
  /** How long it may be silent in an answer, in milliseconds. Default: 40 s, longer than any wait that a case may provoke. */
  readonly silence?: number | undefined;
  /** Executables, where the server has such. */
  readonly programs?: Readonly<Record<string, string>> | undefined;
}

/** Hands out a server for each case: a fresh one, or one that all cases of a world share. */
export interface Servers extends AsyncDisposable {
  readonly name: Server['name'];
  /** How many cases may run at once. */
  readonly width: number;
  readonly versions: { readonly kubernetes: string; readonly etcd: string };
  /** Distinguishes the names of this run from those of others on the same server. */
  readonly run: string;
  take(world: World): Promise<Server & AsyncDisposable>;
}
