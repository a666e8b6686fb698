// The third output: the messages the embedded API server reads and writes.
import { formatMessages, type MessageFacts, messagesIn, readMessages } from './messages.ts';

/** A real server serves alpha and beta versions only when told to; one kind of meta/v1beta1 is asked for by clients all the same. */
const onByDefault = /\/v\d+$/;
const alsoServed = new Set(['meta/v1beta1']);

/** The messages of the versions that are served, and what they hold of others. */
export function servedMessages(facts: MessageFacts): MessageFacts {
  const served = Object.keys(facts).filter((name) => onByDefault.test(name) || alsoServed.has(name));
  const used = new Set(served.flatMap((name) => Object.keys(facts[name] ?? {}).map((message) => `${name}.${message}`)));
  for (const full of used) {
    const end = full.lastIndexOf('.');
    const home = full.slice(0, end);
    for (const next of messagesIn(facts[home]?.[full.slice(end + 1)] ?? '', home)) used.add(next);
  }
  const inUse = (home: string): [string, string][] =>
    Object.entries(facts[home] ?? {}).filter(([message]) => used.has(`${home}.${message}`));
  const packages = Object.keys(facts).filter((home) => inUse(home).length > 0);
  return Object.fromEntries(packages.map((home) => [home, Object.fromEntries(inUse(home))]));
}

/** The text of messages.gen.json: one line per message. */
export function printMessageOutput(facts: MessageFacts = readMessages()): string {
  return formatMessages(servedMessages(facts));
}
