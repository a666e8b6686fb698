// No vowels and no digits that look like letters, so that no word comes out.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maxNameLength = 63;
const hexDigits = '0123456789abcdef';

/** A name that starts with a prefix: what `generateName` asks for. */
export function generatedName(prefix: string, random: () => number): string {
  const base = prefix.slice(0, maxNameLength - suffixLength);
  const letter = (): string => alphabet[Math.floor(random() * alphabet.length)] ?? 'b';
  return base + Array.from({ length: suffixLength }, letter).join('');
}

/** A random UUID in the form of version 4. */
export function uuid(random: () => number): string {
  const hex = (digits: number): string => {
    let text = '';
    for (let left = digits; left > 0; left -= 1) text += hexDigits[Math.floor(random() * 16)] ?? '0';
    return text;
  };
  const variant = '89ab'[Math.floor(random() * 4)] ?? '8';
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
}
