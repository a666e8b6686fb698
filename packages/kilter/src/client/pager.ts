import type { KubeObject } from '../api/index.ts';
import { apiErrorOf, isExpired } from '../errors/index.ts';
import type { ListPage } from './answers.ts';

/** Asks for the page after this token; the first without one. At most `limit` objects are still wanted. */
export type NextPage<T extends KubeObject> = (
  token: string | undefined,
  limit: number | undefined,
) => Promise<ListPage<T>>;

export interface PagingOptions {
  /** At most so many objects. */
  readonly limit?: number | undefined;
  /** Of `each`. Default: 'throw'. */
  readonly onExpired?: 'throw' | 'continue' | undefined;
  /** Of `each`: ends it also in the middle of a page. */
  readonly signal?: AbortSignal | undefined;
}

// A token lives for minutes; a list that outlives three of them will outlive the fourth.
const mostRestarts = 3;

/** The token that goes on at a newer state, where the error of an expired one carries it. */
function freshToken(error: unknown, token: string | undefined): string | undefined {
  if (token === undefined || !isExpired(error)) return undefined;
  const fresh = apiErrorOf(error)?.status.continue;
  // The same again would expire again, for ever.
  return fresh === token ? undefined : fresh;
}

async function* pages<T extends KubeObject>(next: NextPage<T>, options: PagingOptions): AsyncGenerator<readonly T[]> {
  let token: string | undefined;
  let left = options.limit;
  do {
    let page: ListPage<T>;
    try {
      page = await next(token, left);
    } catch (error) {
      const fresh = options.onExpired === 'continue' ? freshToken(error, token) : undefined;
      if (fresh === undefined) throw error;
      token = fresh;
      continue;
    }
    const items = left === undefined ? page.items : page.items.slice(0, left);
    yield items;
    if (left !== undefined) left -= items.length;
    token = left === 0 ? undefined : page.continue;
  } while (token !== undefined);
}

async function collect<T extends KubeObject>(next: NextPage<T>, options: PagingOptions): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages(next, options)) for (const item of page) items.push(item);
  return items;
}

/** Begins again from the start when a continue token has expired, a few times. */
export async function restarting<R>(work: () => Promise<R>): Promise<R> {
  for (let restarts = 0; ; restarts += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isExpired(error) || restarts >= mostRestarts) throw error;
    }
  }
}

/** All pages of one list. An expired token starts over: no part of a broken list is used. */
export function allPages<T extends KubeObject>(next: NextPage<T>, { limit }: PagingOptions): Promise<T[]> {
  return restarting(() => collect(next, { limit }));
}

/** Item by item, a page at a time. An expired token is thrown unless the options say otherwise: what was handed out cannot be taken back. */
export async function* eachItem<T extends KubeObject>(
  next: NextPage<T>,
  options: PagingOptions,
): AsyncGenerator<T, undefined, undefined> {
  for await (const page of pages(next, options)) {
    for (const item of page) {
      yield item;
      options.signal?.throwIfAborted();
    }
  }
}
