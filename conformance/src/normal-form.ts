// Answers in the form goldens have: the case's own names put back, what differs from run to run masked.
import { createHash } from 'node:crypto';
import type { Answer, Answers, At, Case, Comparison, Json, Step } from './case.ts';
import { Masking } from './masks.ts';
import { canonical, keysOf, textOf, valueAt } from './places.ts';
import type { Run } from './run-case.ts';
import type { Names } from './template.ts';

/** Compared in every answer that has headers; others where the step asks for them. */
export const comparedHeaders = ['content-type', 'warning', 'retry-after', 'location', 'cache-control', 'allow'];

// Longer texts would make goldens unreadable; equality is all that counts for them.
const longest = 3000;

type Fields = { readonly [key: string]: Json };

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [change(key), mapTexts(field, change)]));
}

function shortened(text: string): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, 200)}… <${text.length} characters, sha256 ${createHash('sha256').update(text).digest('hex')}>`;
}

/** The names of the run, longest first, as the case writes them. */
function namesBack(names: Names): (text: string) => string {
  const pairs = Object.entries(names)
    .filter(([key]) => key !== 'id')
    .toSorted(([, a], [, b]) => b.length - a.length);
  return (text) => pairs.reduce((result, [key, name]) => result.replaceAll(name, `{{${key}}}`), text);
}

/** The place changed by a function; nothing happens where there is nothing. */
function changedAt(value: Json | undefined, keys: readonly string[], change: (found: Json) => Json): Json | undefined {
  if (value === undefined) return undefined;
  const [key, ...rest] = keys;
  if (key === undefined) return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    if (key === '*') return list.map((item) => changedAt(item, rest, change) ?? null);
    const index = Number(key) < 0 ? list.length + Number(key) : Number(key);
    return list.map((item, at) => (at === index ? (changedAt(item, rest, change) ?? null) : item));
  }
  const fields = value as Fields;
  if (key === '*') {
    return Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, changedAt(field, rest, change) ?? null]),
    );
  }
  if (!(key in fields)) return value;
  return { ...fields, [key]: changedAt(fields[key], rest, change) ?? null };
}

function keyOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(keyOrder);
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value).map(([key, field]) => {
    const inner = keyOrder(field);
    return inner === '' || (Array.isArray(inner) && inner.length === 0) ? key : [key, inner];
  });
}

const sortedList = (value: Json): Json =>
  Array.isArray(value) ? (value as Json[]).toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1)) : value;

function withHeaders(answer: Fields, more: readonly string[]): Fields {
  const { headers } = answer;
  if (typeof headers !== 'object' || headers === null) return answer;
  const wanted = [...comparedHeaders, ...more];
  return {
    ...answer,
    headers: Object.fromEntries(Object.entries(headers).filter(([key]) => wanted.includes(key))),
  };
}

function withoutText({ text: _, ...answer }: Fields): Fields {
  return answer;
}

function narrowed(answer: Json, step: Comparison): Json {
  const change = (result: Json, [places, how]: [readonly At[] | undefined, (found: Json) => Json]): Json =>
    (places ?? []).reduce<Json>((value, at) => changedAt(value, keysOf(at), how) ?? null, result);
  const masked = change(answer, [step.mask, () => '<masked>']);
  const sorted = change(masked, [step.unordered, sortedList]);
  if (step.only === undefined) return sorted;
  return Object.fromEntries(step.only.map((at) => [textOf(at), valueAt(sorted, at) ?? '<nothing>']));
}

function normalAnswer(step: Step, answer: Answer, masked: (value: Json) => Json): Json {
  if (step.do === 'together') {
    const { answers } = answer as { answers: Answer[] };
    const each = answers.map((one, index) => normalAnswer(step.requests[index] as Step, one, masked));
    return { answers: sortedList(each) };
  }
  const comparison = step as Comparison;
  const order = comparison.keyOrder === true ? { keyOrder: keyOrder(answer['body'] ?? null) } : {};
  return narrowed(masked({ ...withHeaders(withoutText(answer), comparison.headers ?? []), ...order }), comparison);
}

/** One place as an object the masks can learn from: with the kind and the metadata it stood in. */
function placeInContext(answer: Answer, at: At): Json {
  const keys = keysOf(at);
  const [value, last] = [valueAt(answer, at) ?? null, keys.at(-1)];
  const isVersion = last === 'resourceVersion';
  if (!isVersion && last !== 'metadata') return value;
  const kind = valueAt(answer, [...keys.slice(0, isVersion ? -2 : -1), 'kind']);
  return { ...(kind === undefined ? {} : { kind }), metadata: isVersion ? { resourceVersion: value } : value };
}

/** The versions that are compared, each in an object as the masks know it. */
function learnable(compared: readonly Step[], answers: Answers): Answers {
  const learnableOf = (step: Comparison, answer: Answer): Json => {
    if (step.only !== undefined) return step.only.map((at) => placeInContext(answer, at));
    return (step.mask ?? []).reduce<Json>((rest, at) => changedAt(rest, keysOf(at), () => '<masked>') ?? null, answer);
  };
  const entries = compared.flatMap((step) => {
    const answer = 'name' in step ? answers[step.name] : undefined;
    return answer === undefined || !('name' in step) ? [] : [[step.name, learnableOf(step as Comparison, answer)]];
  });
  return Object.fromEntries(entries) as Answers;
}

const isSetup = (step: Step): boolean => 'setup' in step && step.setup === true;

export type NormalAnswers = { readonly [step: string]: Json };

export function normalForm(testCase: Case, run: Run, now: number = Date.now()): NormalAnswers {
  const back = namesBack(run.names);
  const compared = testCase.steps.flatMap((step) => ('name' in step && !isSetup(step) ? [step] : []));
  const answers = compared.flatMap(({ name }) => {
    const answer = run.answers[name];
    return answer === undefined ? [] : [[name, answer] as const];
  });
  const named = mapTexts(Object.fromEntries(answers), back) as unknown as Answers;
  const masking = new Masking(named, now, learnable(compared, named));
  const masked = (value: Json): Json => mapTexts(masking.value(value), shortened);
  const result: Record<string, Json> = {};
  for (const step of compared) {
    const answer = named[step.name];
    if (answer !== undefined) result[step.name] = normalAnswer(step, answer, masked);
  }
  return result;
}
