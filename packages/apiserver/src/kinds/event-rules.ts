import type { JsonObject } from 'kilter/api';
import { qualifiedNameFlaws } from '../formats/index.ts';
import { invalidValue, required } from '../status/index.ts';
import { type Issue, objectIfIn, textIn } from '../values/index.ts';

/** An Event is about its own object namespace; Events of cluster-scoped objects live in `default`. */
function namespaceIssues(event: JsonObject, reference: string): Issue[] {
  const own = textIn(objectIfIn(event, 'metadata') ?? {}, 'namespace');
  const about = textIn(objectIfIn(event, reference) ?? {}, 'namespace');
  if (about === own || (about === '' && own === 'default')) return [];
  return [invalidValue('involvedObject.namespace', about, 'does not match event.namespace')];
}

/** Events with an eventTime are of the new kind, in whichever group they are written. */
function reporterIssues(event: JsonObject, controller: string): Issue[] {
  const needed = [controller, 'reportingInstance', 'action', 'reason']
    .filter((field) => textIn(event, field) === '')
    .map((field) => required(field === 'reportingComponent' ? 'reportingController' : field));
  const reporter = textIn(event, controller);
  const flaws = qualifiedNameFlaws(reporter);
  return [...needed, ...flaws.map((flaw) => invalidValue('reportingController', reporter, flaw))];
}

export function eventIssues(event: JsonObject): Issue[] {
  const modern = textIn(event, 'eventTime') !== '';
  return [...namespaceIssues(event, 'involvedObject'), ...(modern ? reporterIssues(event, 'reportingComponent') : [])];
}

export function modernEventIssues(event: JsonObject, old: JsonObject | undefined): Issue[] {
  const type = textIn(event, 'type');
  const timed = textIn(event, 'eventTime') !== '';
  return [
    ...namespaceIssues(event, 'regarding'),
    ...(timed ? reporterIssues(event, 'reportingController') : []),
    ...(timed || old !== undefined ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' || old !== undefined
      ? []
      : [invalidValue('type', type, `has invalid value: ${type}`)]),
  ];
}
