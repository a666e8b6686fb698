// By which labels a Job finds its pods: those the server chose, or those somebody chose by hand.
import type { JsonObject } from 'kilter/api';
import { invalidValue, required } from '../status/index.ts';
import { isEmpty, type Issue, metadataOf, objectIfIn, selectsLabels, specOf, textIn, textOf } from '../values/index.ts';
import { labelSelectorIssues } from './matching-rules.ts';
import { shownMap, shownSelector } from './shown-values.ts';

const labelsOfTemplate = (spec: JsonObject): JsonObject | undefined =>
  objectIfIn(metadataOf(objectIfIn(spec, 'template') ?? {}), 'labels');

/** An empty selector asks for nothing. */
const selects = (selector: JsonObject, labels: JsonObject | undefined): boolean =>
  isEmpty(selector) || selectsLabels(selector, labels);

function labelIssues(labels: JsonObject, key: string, wanted: string): Issue[] {
  const field = `spec.template.metadata.labels[${key}]`;
  const why = `must be '${wanted}'`;
  if (labels[key] === undefined) return [required(field, why)];
  return textOf(labels[key]) === wanted ? [] : [invalidValue(field, shownMap(labels), why)];
}

const oldUid = 'controller-uid';
const oldName = 'job-name';
const prefix = 'batch.kubernetes.io/';

/** Whoever lets the server choose has its labels, and no others of these names. */
export function chosenSelectorIssues(job: JsonObject, old: JsonObject | undefined): Issue[] {
  const spec = specOf(job);
  const selector = objectIfIn(spec, 'selector');
  if (spec['manualSelector'] === true || selector === undefined) return [];
  const metadata = metadataOf(job);
  const [uid, name] = [textIn(metadata, 'uid'), textIn(metadata, 'name')];
  const labels = labelsOfTemplate(spec) ?? {};
  const before = old === undefined ? undefined : (labelsOfTemplate(specOf(old)) ?? {});
  const prefixed = [`${prefix}${oldUid}`, `${prefix}${oldName}`];
  const newer = before === undefined || prefixed.every((key) => before[key] !== undefined);
  const expected = Object.entries({
    [oldUid]: uid,
    [oldName]: name,
    ...(newer && { [`${prefix}${oldUid}`]: uid, [`${prefix}${oldName}`]: name }),
  });
  return [
    ...expected.flatMap(([key, wanted]) => labelIssues(labels, key, wanted)),
    ...(labelSelectorIssues(selector, '').length > 0 || selects(selector, Object.fromEntries(expected))
      ? []
      : [invalidValue('spec.selector', shownSelector(selector), '`selector` not auto-generated')]),
  ];
}

/** However it was chosen, a selector finds the pods of its Job. */
export function jobSelectorIssues(spec: JsonObject): Issue[] {
  const selector = objectIfIn(spec, 'selector');
  const field = 'spec.selector';
  const labels = labelsOfTemplate(spec);
  const flaws = selector === undefined ? [required(field)] : labelSelectorIssues(selector, field);
  const found = selector !== undefined && (flaws.length > 0 || selects(selector, labels));
  const why = '`selector` does not match template `labels`';
  return [...flaws, ...(found ? [] : [invalidValue('spec.template.metadata.labels', shownMap(labels), why)])];
}
