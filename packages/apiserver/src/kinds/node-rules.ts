// The rules of Nodes: which pods they keep away, and what is known of them once and for all.
import type { JsonObject } from 'kilter/api';
import { quantityOf, quantityText } from '../formats/index.ts';
import { duplicate, forbiddenField, invalidValue, required, unsupported } from '../status/index.ts';
import { clone, type Issue, objectIfIn, objectsIn, sameValue, textIn, textOf, textsOf } from '../values/index.ts';
import { keyProblems, labelValueProblems } from './names.ts';

/** What a node has is what it gives away, as long as nobody says otherwise. */
export function defaultNode(node: JsonObject): void {
  const status = objectIfIn(node, 'status');
  const capacity = objectIfIn(status ?? {}, 'capacity');
  if (status === undefined || capacity === undefined || objectIfIn(status, 'allocatable') !== undefined) return;
  status['allocatable'] = clone(capacity);
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function effectIssues(effect: string, field: string): Issue[] {
  if (effect === '') return [required(field)];
  return effects.includes(effect) ? [] : [unsupported(field, effect, effects)];
}

/** As the server's struct. */
const shown = (taint: JsonObject): JsonObject => ({
  Key: textIn(taint, 'key'),
  Value: textIn(taint, 'value'),
  Effect: textIn(taint, 'effect'),
  TimeAdded: taint['timeAdded'] ?? null,
});

/** The server tells of taints as if they were part of the metadata. */
function taintIssues(spec: JsonObject): Issue[] {
  const seen = new Set<string>();
  return objectsIn(spec, 'taints').flatMap((taint, index) => {
    const at = `metadata.taints[${index}]`;
    const [key, value, effect] = [textIn(taint, 'key'), textIn(taint, 'value'), textIn(taint, 'effect')];
    const pair = JSON.stringify([key, effect]);
    const again = seen.has(pair);
    seen.add(pair);
    const { message, ...rest } = duplicate(at, shown(taint));
    const flaws = labelValueProblems(value);
    return [
      ...keyProblems(key).map((flaw) => invalidValue(`${at}.key`, key, flaw)),
      ...(flaws.length === 0 ? [] : [invalidValue(`${at}.value`, value, flaws.join(';'))]),
      ...effectIssues(effect, `${at}.effect`),
      ...(again ? [{ ...rest, message: `${message}: taints must be unique by key and effect pair` }] : []),
    ];
  });
}

function addressIssues(node: JsonObject): Issue[] {
  const seen = new Set<string>();
  return objectsIn(objectIfIn(node, 'status') ?? {}, 'addresses').flatMap((address, index) => {
    const shownAddress = { Type: textIn(address, 'type'), Address: textIn(address, 'address') };
    const pair = JSON.stringify(shownAddress);
    const again = seen.has(pair);
    seen.add(pair);
    return again ? [duplicate(`status.addresses[${index}]`, shownAddress)] : [];
  });
}

/** What whoever made the node has said of it stays. */
function updateIssues(node: JsonObject, old: JsonObject): Issue[] {
  const [spec, before] = [objectIfIn(node, 'spec') ?? {}, objectIfIn(old, 'spec') ?? {}];
  const [now, then] = [textsOf(spec['podCIDRs']), textsOf(before['podCIDRs'])];
  const provider = textIn(before, 'providerID');
  const stays = (field: string): string => `node updates may not change ${field} except from "" to valid`;
  return [
    ...addressIssues(node),
    ...(then.length > 0 && !sameValue(now, then) ? [forbiddenField('spec.podCIDRs', stays('podCIDR'))] : []),
    ...(provider !== '' && provider !== textIn(spec, 'providerID')
      ? [forbiddenField('spec.providerID', stays('providerID'))]
      : []),
  ];
}

function amountIssues(node: JsonObject): Issue[] {
  const status = objectIfIn(node, 'status') ?? {};
  return ['capacity', 'allocatable'].flatMap((list) =>
    Object.entries(objectIfIn(status, list) ?? {}).flatMap(([name, amount]) => {
      const quantity = quantityOf(textOf(amount));
      const why = 'must be greater than or equal to 0';
      return quantity.unscaled < 0n ? [invalidValue(`status.${list}.${name}`, quantityText(quantity), why)] : [];
    }),
  );
}

export function nodeIssues(node: JsonObject, old: JsonObject | undefined, subresource?: string): Issue[] {
  const spec = objectIfIn(node, 'spec') ?? {};
  const amounts = amountIssues(node);
  return [
    ...(subresource === 'status' ? [] : [...taintIssues(spec), ...amounts]),
    // On an update the server looks at them twice.
    ...(old === undefined ? [] : [...amounts, ...updateIssues(node, old), ...taintIssues(spec)]),
  ];
}
