import { KilterError } from '../errors/index.ts';

// Header fields are bytes without control characters; a path is visible ASCII.
// oxlint-disable-next-line no-control-regex
const field = /^[\t\x20-\x7e\x80-\xff]*$/;
const target = /^[\x21-\x7e]+$/;

/**
 * Refuses what would end a header or the request early. Node's HTTP/2 does not look, and the values may come from a
 * kubeconfig or from an object's name. No value is shown: it may be a token.
 */
export function checkRequest(
  request: { readonly method: string; readonly path: string },
  fields: Readonly<Record<string, string | readonly string[]>>,
): void {
  const refuse = (what: string): never => {
    const message = `the ${request.method} request cannot be sent: ${what} holds characters HTTP does not allow`;
    throw new KilterError('TRANSPORT_REQUEST_MALFORMED', message);
  };
  if (!target.test(request.path)) refuse('its path');
  for (const [name, value] of Object.entries(fields)) {
    const values = typeof value === 'string' ? [value] : value;
    if (!values.every((each) => field.test(each))) refuse(`the header ${JSON.stringify(name)}`);
  }
}
