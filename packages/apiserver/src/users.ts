import type { Runtime } from 'kilter/runtime';
import type { AccountTokens, TokenJudge } from './access/index.ts';
import { authenticated, type TokenReader, type User } from './auth/index.ts';

/** Users by their bearer tokens. */
export type UsersByToken = Readonly<Record<string, User>>;

/** Who a token names: users given with their tokens, and administrators that get one when first asked for. */
export class Users {
  readonly #runtime: Runtime;
  readonly #given: UsersByToken;
  /** Each name once; `#made` holds the same tokens the other way round. */
  readonly #tokens = new Map<string, string>();
  readonly #made = new Map<string, User>();
  readonly #accounts: AccountTokens;

  constructor(runtime: Runtime, accounts: AccountTokens, given: UsersByToken = {}) {
    this.#runtime = runtime;
    this.#accounts = accounts;
    this.#given = given;
  }

  /** Looked up at each request: who is taken out of the given users, or whose account is gone, is refused from then on. */
  readonly userOf: TokenReader = (token) => this.#listed(token) ?? this.#accounts.judge(token, [])?.user;

  /** Whether a token counts, for those who ask the server: one of a table for the audience of the server itself. */
  readonly judge: TokenJudge = (token, audiences) => {
    const known = this.#listed(token);
    const { audience } = this.#accounts;
    const meant = audiences.length === 0 || audiences.includes(audience);
    if (known !== undefined && meant) return { user: authenticated(known), audiences: [audience] };
    const verdict = this.#accounts.judge(token, audiences);
    if (verdict === undefined) return { user: undefined, problem: 'invalid bearer token' };
    // Whoever else was asked did not know it either, and the server tells what each had to say.
    return verdict.user === undefined ? { ...verdict, problem: `[invalid bearer token, ${verdict.problem}]` } : verdict;
  };

  /** A token is the name with a secret part: it says whose it is, and nobody else can guess it. */
  tokenOf(name: string): string {
    const found = this.#tokens.get(name);
    if (found !== undefined) return found;
    // A header ends its token at a space.
    const token = `${encodeURIComponent(name)}-${this.#runtime.uuid()}`;
    this.#tokens.set(name, token);
    this.#made.set(token, { name, groups: ['system:masters'] });
    return token;
  }

  #listed(token: string): User | undefined {
    return Object.hasOwn(this.#given, token) ? this.#given[token] : this.#made.get(token);
  }
}
