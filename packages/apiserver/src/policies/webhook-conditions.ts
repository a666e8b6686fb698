import type { JsonObject } from 'kilter/api';
import { bool } from '../cel/index.ts';
import { conditionsOf } from '../matching/index.ts';
import { type Issue, objectsIn, sameValue, textIn } from '../values/index.ts';
import { expressionIssues } from './rules.ts';

/** What is wrong with the expressions of webhooks; a configuration whose conditions were stored so before is left in peace. */
export function webhookConditionIssues(configuration: JsonObject, old: JsonObject | undefined): Issue[] {
  const conditions = (object: JsonObject): JsonObject[][] =>
    objectsIn(object, 'webhooks').map((webhook) => objectsIn(webhook, 'matchConditions'));
  if (old !== undefined && sameValue(conditions(old), conditions(configuration))) return [];
  return conditions(configuration).flatMap((items, webhook) => {
    const named = items.map((one) => ({ name: textIn(one, 'name'), expression: textIn(one, 'expression').trim() }));
    return conditionsOf(named).flatMap(({ expression, program }, index) => {
      const at = `webhooks[${webhook}].matchConditions[${index}].expression`;
      return expression === '' ? [] : expressionIssues({ text: expression, program }, at, [bool]);
    });
  });
}
