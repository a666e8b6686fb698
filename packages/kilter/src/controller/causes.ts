import { keyOfRef, type MergedCause } from '../api/index.ts';

/** A cause as people read it: `update of Deployment.apps default/shop (2x)`. */
export function causeInWords({ change, kind, ref, reason, count }: MergedCause): string {
  const times = count > 1 ? ` (${count}x)` : '';
  if (change === 'timer') return `timer: ${reason ?? 'due'}${times}`;
  if (change === 'retry') return `retry: ${reason ?? 'failed'}${times}`;
  const object = ref === undefined ? '' : ` ${keyOfRef(ref)}`;
  const what = kind === undefined ? '' : ` of ${kind}${object}`;
  return `${change}${what}${reason === undefined ? '' : `: ${reason}`}${times}`;
}
