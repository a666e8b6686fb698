/**
 * Whether it is base64 in whole groups of four, or empty. One run of characters and not a group after the other: each repeat of a group
 * takes a piece of the stack, which a few million characters use up.
 */
export const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
