import { compareResourceVersions } from '../api/index.ts';
import type { Runtime, Timer } from '../internal/index.ts';
import { inBrief, type Logger } from '../telemetry/index.ts';
import { inSlices } from './slices.ts';
import type { WatchSource } from './source.ts';

/** What one reflector keeps, as the one who checks it sees it. */
export interface VerifiedPart {
  readonly namespace: string | undefined;
  /** Lists metadata alone, through the same selectors. */
  readonly source: () => WatchSource;
  /** Everything up to this version is in the store. */
  progress(): string | undefined;
  /** Keys and versions of what is held. */
  held(): Iterable<{ readonly key: string; readonly resourceVersion: string }>;
  versionOf(key: string): string | undefined;
  /** Objects that are there and cannot be used: they are not missed. */
  isUnusable(key: string): boolean;
  /** Called with every key that changes from now on; undefined: everything did. Returns how to end it. */
  follow(changed: (key: string | undefined) => void): () => void;
  /** Reads the complete state again. */
  resync(): void;
}

export interface VerifierOptions {
  /** Milliseconds between two comparisons. */
  readonly every: number;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly parts: readonly VerifiedPart[];
  /** Counts what differed. */
  readonly found: (count: number) => void;
}

/** A watch that is further behind than this is not merely slow. */
const patience = 30_000;
const lookEvery = 1000;
/** Named in the log; the count says the rest. */
const mostNamed = 10;

/** Compares what is held with the server's own list now and then: the watch should have brought every difference. */
export class Verifier {
  readonly #options: VerifierOptions;
  readonly #life = new AbortController();
  #timer: Timer | undefined;

  constructor(options: VerifierOptions) {
    this.#options = options;
  }

  /** From now on, spread by a tenth so that informers synced together do not list together. */
  schedule(): void {
    const { every, runtime } = this.#options;
    this.#timer = runtime.clock.timer(every * (0.9 + 0.2 * runtime.random()), () => void this.#round());
  }

  stop(): void {
    this.#timer?.cancel();
    this.#life.abort();
  }

  async #round(): Promise<void> {
    const { logger, parts } = this.#options;
    for (const part of parts) {
      const { namespace } = part;
      const about = namespace === undefined ? {} : { namespace };
      try {
        await this.#verify(part, about);
      } catch (error) {
        // The next round tries again; the watch goes on meanwhile.
        if (this.#life.signal.aborted) return;
        logger.warn({ ...inBrief(error), ...about }, 'the cache could not be compared with the server');
      }
    }
    if (!this.#life.signal.aborted) this.schedule();
  }

  async #verify(part: VerifiedPart, about: object): Promise<void> {
    const changed = new Set<string>();
    let replaced = false;
    const unfollow = part.follow((key) => {
      if (key === undefined) replaced = true;
      else changed.add(key);
    });
    try {
      const before = part.progress() ?? '';
      const { listed, resourceVersion } = await this.#list(part);
      // A list that is read from the quorum and older than what was seen: the server's history went back.
      const rewound = compareResourceVersions(resourceVersion, before) === -1;
      if (!rewound) await this.#arrival(part, resourceVersion);
      const different: string[] = [];
      const work = compare(part, { listed, resourceVersion, changed }, different);
      await inSlices(work, { clock: this.#options.runtime.clock, over: () => this.#life.signal.aborted });
      if (replaced || (!rewound && different.length === 0) || this.#life.signal.aborted) return;
      this.#options.found(different.length);
      this.#options.logger.error(
        { ...about, count: different.length, keys: different.slice(0, mostNamed), ...(rewound && { rewound }) },
        'the cache differs from the server; its complete state is read again',
      );
      part.resync();
    } finally {
      unfollow();
    }
  }

  async #list(part: VerifiedPart): Promise<Pick<Comparison, 'listed' | 'resourceVersion'>> {
    const { signal } = this.#life;
    const source = part.source();
    const listed = new Map<string, string>();
    let token: string | undefined;
    for (;;) {
      const page = await source.list({ continue: token, signal });
      for (const { key, resourceVersion } of page.items) if (key !== undefined) listed.set(key, resourceVersion ?? '');
      token = page.continue;
      if (token === undefined) return { listed, resourceVersion: page.resourceVersion };
    }
  }

  /** What was listed may still be on its way through the watch. */
  async #arrival(part: VerifiedPart, resourceVersion: string): Promise<void> {
    const { clock } = this.#options.runtime;
    const start = clock.monotonic();
    while (clock.monotonic() - start < patience) {
      const progress = part.progress();
      if (progress !== undefined && compareResourceVersions(progress, resourceVersion) !== -1) return;
      await clock.sleep(lookEvery, this.#life.signal);
    }
  }
}

interface Comparison {
  readonly listed: ReadonlyMap<string, string>;
  readonly resourceVersion: string;
  /** Changed since before the list: nothing can be said of them. */
  readonly changed: ReadonlySet<string>;
}

function* compare(
  part: VerifiedPart,
  { listed, resourceVersion, changed }: Comparison,
  different: string[],
): Generator<undefined> {
  for (const [key, version] of listed) {
    yield;
    if (changed.has(key) || part.isUnusable(key)) continue;
    const held = part.versionOf(key);
    if (held === undefined || compareResourceVersions(held, version) === -1) different.push(key);
  }
  for (const { key, resourceVersion: held } of part.held()) {
    yield;
    if (listed.has(key) || changed.has(key)) continue;
    if (compareResourceVersions(held, resourceVersion) !== 1) different.push(key);
  }
}
