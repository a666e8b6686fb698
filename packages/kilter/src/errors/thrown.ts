/** What was thrown, in words: anything can be, even what has no text of its own. */
export function inWords(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  try {
    return `a thrown ${typeof thrown}: ${String(thrown)}`;
  } catch {
    // An object without a prototype cannot be turned into text.
    return `a thrown ${typeof thrown}`;
  }
}
