// Watches of a version that a webhook makes: content is converted after it was taken from the history, one change at a time.
import type { JsonObject } from 'kilter/api';
import type { Matcher } from '../calls/index.ts';
import type { Served } from '../kinds/index.ts';
import { type Signal, signalOf, type Viewer } from '../watch/index.ts';
import { withConversions } from './conversions.ts';
import { type Core, load } from './core.ts';

/** Content nobody has looked at yet. */
export interface Unseen {
  readonly text: string;
  readonly revision: number;
  /** Undefined for what is new, and for the initial set. */
  readonly before: string | undefined;
}

/** Hands content on as it is stored. */
export const unseen: Viewer<Unseen> = {
  decode: (text, revision) => ({ text, revision, before: undefined }),
  decodePrevious: (text, revision) => ({ text, revision, before: undefined }),
  matches: undefined,
  handOn: ({ text, revision, previous }) => ({ text, revision, before: previous?.text }),
};

interface Seeing {
  readonly core: Core;
  readonly served: Served;
  readonly matches: Matcher | undefined;
}

/** The signals as a client of the version sees them; rejects where the webhook fails, which ends the watch. */
export async function* convertedSignals(
  signals: AsyncIterable<Signal<Unseen>>,
  seeing: Seeing,
): AsyncGenerator<Signal<JsonObject>> {
  for await (const signal of signals) {
    const seen = signal.type === 'BOOKMARK' ? signal : await judged(signal, seeing);
    if (seen !== undefined) yield seen;
  }
}

async function judged(
  { type, object: { text, revision, before } }: Exclude<Signal<Unseen>, { type: 'BOOKMARK' }>,
  { core, served, matches }: Seeing,
): Promise<Signal<JsonObject> | undefined> {
  const conversions = core.conversions.anew();
  const look = (content: string): Promise<JsonObject> =>
    withConversions(conversions, () => load({ ...core, conversions }, served, { text: content, revision }));
  const object = await look(text);
  if (matches === undefined) return { type, object };
  return signalOf({ type, object, before: before === undefined ? undefined : await look(before) }, matches);
}
