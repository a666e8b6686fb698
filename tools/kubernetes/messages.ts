// The messages of the published generated.proto files with what only the Go structs behind them say: names in JSON, and which
// fields are written even when empty.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * By package (`core/v1`) and message: its fields by number, each `<JSON name>=<number><form><type>`, then `:<name in Go>` where
 * that is not the JSON name with a capital. Forms: `!` always written, `?` if set, `*` list, `%` map from string. Types: `s` string,
 * `i` int32, `l` int64, `b` bool, `y` bytes, `d` double, else a message, of another package as `meta/v1.Time`. The JSON name is empty
 * where the fields of a message stand inline.
 */
export type MessageFacts = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const messagesFile: string = resolve(import.meta.dirname, 'messages.json');

/** One line per message. */
export function formatMessages(facts: MessageFacts): string {
  const packages = Object.entries(facts).map(([name, messages]) => {
    const lines = Object.entries(messages).map(
      ([message, fields]) => `${JSON.stringify(message)}:${JSON.stringify(fields)}`,
    );
    return `${JSON.stringify(name)}:{\n${lines.join(',\n')}\n}`;
  });
  return `{\n${packages.join(',\n')}\n}\n`;
}

export function readMessages(): MessageFacts {
  return JSON.parse(readFileSync(messagesFile, 'utf8')) as MessageFacts;
}

/** The messages that the fields of one refer to, by full name. */
export function messagesIn(fields: string, inPackage: string): string[] {
  return fields.split(' ').flatMap((field) => {
    const type = /[!?*%]([\w./]+)/.exec(field)?.[1] ?? '';
    if (type === '' || /^[silbyd]$/.test(type)) return [];
    return [type.includes('.') ? type : `${inPackage}.${type}`];
  });
}
