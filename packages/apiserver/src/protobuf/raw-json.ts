import { compareText } from '../values/index.ts';

/** JSON in one line with sorted keys: what a message holds that has no shape of its own. */
export function rawJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return (JSON.stringify(value) as string | undefined) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(rawJson).join(',')}]`;
  const keys = Object.keys(value);
  if (keys.length > 1) keys.sort(compareText);
  let text = '';
  for (const key of keys) {
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${rawJson((value as Record<string, unknown>)[key])}`;
  }
  return `{${text}}`;
}
