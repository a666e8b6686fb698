// Where the answer to a mutated request is another on purpose: each row names the statement that says so.
import { duplicateFields } from '../../packages/apiserver/src/schema/index.ts';
import type { FuzzedRequest } from '../../tools/fuzz/request-targets.ts';

export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

interface Decision {
  readonly what: string;
  readonly covers: (sent: FuzzedRequest, mine: Answer, real: Answer) => boolean;
}

const decisions: readonly Decision[] = [
  {
    what: 'API-E15: where the real server breaks the connection, a refusal',
    covers: (_, mine, real) => real.status === 0 && real.reason === 'socket hang up' && mine.status >= 400,
  },
  {
    what: 'API-O1: the API lists themselves have no OpenAPI document',
    covers: ({ path }, mine, real) =>
      mine.status === 404 &&
      real.status === 200 &&
      /^\/openapi\/v3\/(?:apis?(?:\/[\w.-]+)?|version|logs)\/?(?:\?|$)/.test(path),
  },
  {
    what: 'API-N2: a number beyond all floats is refused wherever it stands',
    covers: (_, mine) =>
      mine.status === 400 && /cannot unmarshal number [-+.\deE]+ into Go value of type float64/.test(mine.message),
  },
  {
    what: 'API-C14: of a field that stands twice in JSON the last value is judged, the others are not',
    covers: ({ body }, mine, real) =>
      real.status === 400 && mine.status !== 400 && real.message.includes('cannot unmarshal') && isTwofold(body),
  },
];

function isTwofold(body: Buffer | undefined): boolean {
  try {
    JSON.parse(body?.toString() ?? '');
  } catch {
    return false;
  }
  return duplicateFields(body?.toString() ?? '').length > 0;
}

/** The statement an answer goes by that is not that of the real server. */
export const decisionAbout = (sent: FuzzedRequest, mine: Answer, real: Answer): string | undefined =>
  decisions.find(({ covers }) => covers(sent, mine, real))?.what;
