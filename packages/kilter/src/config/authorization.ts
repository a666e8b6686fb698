import { KilterError } from '../errors/index.ts';

// A line break inside would end the header: such a token is refused, and not shown.
export function bearer(token: string, where: string): string {
  const trimmed = token.trim();
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new KilterError(
      'CONFIG_MALFORMED',
      `the token of ${where} is empty or contains blanks or control characters`,
      {
        cure: 'write only the token, or log in again',
      },
    );
  }
  return `Bearer ${trimmed}`;
}

export function basic(username: string, password: string): string {
  if (username.includes(':')) {
    throw new KilterError('CONFIG_MALFORMED', 'the user name of the configuration contains a colon', {
      cure: 'basic authentication ends the name at the first colon: use another way to log in',
    });
  }
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
