import { kindLabel } from '../api/index.ts';
import { apiErrorOf, inWords } from '../errors/index.ts';
import type { AdmissionRequest, ReviewStatus } from './admission-request.ts';

/** One reason to refuse a request. */
export interface Denial {
  readonly field: string | undefined;
  readonly message: string;
}

const textOf = ({ field, message }: Denial): string => (field === undefined ? message : `${field}: ${message}`);

/** As the server tells of invalid fields, so that kubectl shows each of them; without a field, a plain refusal. */
export function denied(denials: readonly Denial[], request: AdmissionRequest): ReviewStatus {
  const texts = denials.map(textOf);
  const [first = ''] = texts;
  const all = texts.length === 1 ? first : `[${texts.join(', ')}]`;
  if (denials.every(({ field }) => field === undefined)) {
    return { status: 'Failure', code: 403, reason: 'Forbidden', message: texts.join('; ') };
  }
  const { group, kind } = request.kind;
  const name = nameOf(request);
  const causes = denials.map(({ field, message }) => ({
    reason: field === undefined ? 'FieldValueForbidden' : 'FieldValueInvalid',
    message,
    ...(field !== undefined && { field }),
  }));
  return {
    status: 'Failure',
    code: 422,
    reason: 'Invalid',
    message: `${kindLabel(request.kind)} ${JSON.stringify(name)} is invalid: ${all}`,
    details: { name, group, kind, causes },
  };
}

function nameOf({ name, object }: AdmissionRequest): string {
  return name ?? object?.metadata.name ?? object?.metadata.generateName ?? '';
}

/** An API error as the server worded it; of anything else, its message. */
export function thrown(error: unknown): ReviewStatus {
  const status = apiErrorOf(error)?.status;
  if (status === undefined) return { status: 'Failure', code: 403, reason: 'Forbidden', message: inWords(error) };
  const { code, reason, message, details } = status;
  return {
    status: 'Failure',
    code,
    ...(reason !== '' && { reason }),
    message,
    ...(Object.keys(details).length > 0 && { details }),
  };
}

/** What cannot be taken as a review. */
export function unreadable(code: 400 | 413, error: unknown): ReviewStatus {
  const reason = code === 413 ? 'RequestEntityTooLarge' : 'BadRequest';
  return { status: 'Failure', code, reason, message: inWords(error) };
}
