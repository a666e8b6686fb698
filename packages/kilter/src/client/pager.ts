import type { KubeObject } from '../api/index.ts';
import { isExpired } from '../errors/index.ts';
import type { ListPage } from './client.ts';

/** Asks for the page after this token; the first without one. */
export type NextPage<T extends KubeObject> = (token: string | undefined) => Promise<ListPage<T>>;

// A token lives for minutes; a list that outlives three of them will outlive the fourth.
const mostRestarts = 3;

async function* pages<T extends KubeObject>(next: NextPage<T>): AsyncGenerator<readonly T[]> {
  let token: string | undefined;
  do {
    const page = await next(token);
    yield page.items;
    token = page.continue;
  } while (token !== undefined);
}

async function collect<T extends KubeObject>(next: NextPage<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages(next)) for (const item of page) items.push(item);
  return items;
}

/** All pages of one list. An expired token starts over: no part of a broken list is used. */
export async function allPages<T extends KubeObject>(next: NextPage<T>): Promise<T[]> {
  for (let restarts = 0; ; restarts += 1) {
    try {
      return await collect(next);
    } catch (error) {
      if (!isExpired(error) || restarts >= mostRestarts) throw error;
    }
  }
}

/** Item by item, a page at a time. An expired token is thrown: what was handed out cannot be taken back. */
export async function* eachItem<T extends KubeObject>(next: NextPage<T>): AsyncGenerator<T, undefined, undefined> {
  for await (const page of pages(next)) yield* page;
}
