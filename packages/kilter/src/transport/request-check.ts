import { KilterError } from '../errors/index.ts';

// Header fields are bytes without control characters; a path is visible ASCII.
// oxlint-disable-next-line no-control-regex -- these are what it looks for
const field = /^[\t\x20-\x7e\x80-\xff]*$/;
const target = /^[\x21-\x7e]+$/;

/** No value is shown: it may be a token. */
function malformed(method: string, what: string): KilterError {
  const message = `the ${method} request cannot be sent: ${what} contains characters that HTTP does not allow`;
  return new KilterError('TRANSPORT_REQUEST_MALFORMED', message);
}

/** Refuses what would end the request early. Node's HTTP/2 does not look, and it may come from an object's name. */
export function checkPath(method: string, path: string): void {
  if (!target.test(path)) throw malformed(method, 'its path');
}

/** Refuses what would end a header early. Node's HTTP/2 does not look, and it may come from a kubeconfig. */
export function checkFields(method: string, fields: Readonly<Record<string, string | readonly string[]>>): void {
  for (const [name, value] of Object.entries(fields)) {
    const values = typeof value === 'string' ? [value] : value;
    if (!values.every((each) => field.test(each))) throw malformed(method, `the header ${JSON.stringify(name)}`);
  }
}
