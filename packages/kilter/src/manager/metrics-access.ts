import type { Client } from '../client/index.ts';
import { inWords } from '../errors/index.ts';
import { type Clock, crypto } from '../internal/index.ts';
import { TokenReview, type UserInfo } from '../k8s/authentication/v1.ts';
import { SubjectAccessReview } from '../k8s/authorization/v1.ts';
import type { Logger } from '../telemetry/index.ts';

export interface MetricsAccessOptions {
  /** Its requests end within ten seconds. */
  readonly client: Pick<Client, 'create'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Undefined: come in. Else the answer. */
export interface Refusal {
  readonly status: 401 | 403 | 500;
  readonly body: string;
}

// controller-runtime's times for the same questions.
const tokenTime = 60_000;
const allowedTime = 5 * 60_000;
const deniedTime = 30_000;
// Scrapers are few; whoever tries tokens must not fill the memory.
const mostKept = 1000;

/** Answers kept for a while, and questions that are being asked: asked by many at once, they are asked once. */
class Remembered<T> {
  readonly #clock: Clock;
  readonly #timeOf: (answer: T) => number;
  /** Oldest first; at most `mostKept`. */
  readonly #kept = new Map<string, { readonly until: number; readonly answer: Promise<T> }>();

  constructor(clock: Clock, timeOf: (answer: T) => number) {
    this.#clock = clock;
    this.#timeOf = timeOf;
  }

  get(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(key);
    if (known !== undefined && this.#clock.monotonic() < known.until) return known.answer;
    const answer = ask();
    this.#keep(key, answer, Infinity);
    answer.then(
      (given) => this.#keep(key, answer, this.#clock.monotonic() + this.#timeOf(given)),
      // What could not be answered is asked again.
      () => this.#kept.delete(key),
    );
    return answer;
  }

  #keep(key: string, answer: Promise<T>, until: number): void {
    this.#kept.delete(key);
    this.#kept.set(key, { until, answer });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** Who may read metrics, as the API server says: who the token is, and whether they may get the path. */
export class MetricsAccess {
  readonly #options: MetricsAccessOptions;
  readonly #users: Remembered<UserInfo | undefined>;
  readonly #rights: Remembered<boolean>;

  constructor(options: MetricsAccessOptions) {
    this.#options = options;
    this.#users = new Remembered(options.clock, () => tokenTime);
    this.#rights = new Remembered(options.clock, (allowed) => (allowed ? allowedTime : deniedTime));
  }

  /** `authorization` is the header of that name. */
  async refusal(authorization: string | undefined, path: string): Promise<Refusal | undefined> {
    const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return { status: 401, body: 'Unauthorized\n' };
    try {
      const user = await this.#user(token);
      if (user === undefined) return { status: 401, body: 'Unauthorized\n' };
      const allowed = await this.#mayGet(user, path);
      return allowed ? undefined : { status: 403, body: `Authorization denied for user ${user.username ?? ''}\n` };
    } catch (error) {
      // Nobody is let in while the server cannot be asked.
      this.#options.logger.error({ error: inWords(error) }, 'a request for metrics could not be authorized');
      return { status: 500, body: 'Authentication failed\n' };
    }
  }

  #user(token: string): Promise<UserInfo | undefined> {
    // Tokens are not kept: their digests do as well.
    return this.#users.get(crypto().createHash('sha256').update(token).digest('base64'), async () => {
      const { status } = await this.#options.client.create(TokenReview.build({ spec: { token } }));
      return status?.authenticated === true ? status.user : undefined;
    });
  }

  #mayGet({ username, uid, groups, extra }: UserInfo, path: string): Promise<boolean> {
    const spec = { user: username, uid, groups, extra, nonResourceAttributes: { path, verb: 'get' } };
    return this.#rights.get(JSON.stringify(spec), async () => {
      const { status } = await this.#options.client.create(SubjectAccessReview.build({ spec }));
      return status?.allowed === true;
    });
  }
}
