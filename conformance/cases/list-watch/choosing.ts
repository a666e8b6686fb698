import type { Claim, Step } from '../../src/case.ts';
import { claim, get } from '../../src/steps.ts';
import { encoded } from './manifests.ts';

export type Row = readonly [field: string, value: string, names: readonly string[]];

/** Each field with `=` (those named) and with `!=` (the others): `all` are the objects there are. */
export function choosing(
  path: string,
  all: readonly string[],
  rows: readonly Row[],
): { steps: Step[]; claims: Claim[] } {
  const join = path.includes('?') ? '&' : '?';
  const steps: Step[] = [];
  const claims: Claim[] = [];
  const expect = (step: string, names: readonly string[], clause: string): void => {
    claims.push(claim(clause, `${step}.body.items`, { length: names.length }));
    claims.push(...names.map((name, at) => claim(clause, `${step}.body.items.${at}.metadata.name`, { is: name })));
  };
  for (const [index, [field, value, names]] of rows.entries()) {
    const name = `${field.replaceAll('.', '-')}-${index}`;
    steps.push(get(name, `${path}${join}fieldSelector=${encoded(`${field}=${value}`)}`));
    expect(name, names, `${field} ${index}`);
    steps.push(get(`${name}-not`, `${path}${join}fieldSelector=${encoded(`${field}!=${value}`)}`));
    expect(
      `${name}-not`,
      all.filter((one) => !names.includes(one)),
      `${field} ${index}, the others`,
    );
  }
  return { steps, claims };
}
