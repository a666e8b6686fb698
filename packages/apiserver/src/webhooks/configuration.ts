import type { JsonObject } from 'kilter/api';
import { type Conditions, conditionsOf } from '../matching/index.ts';
import type { AdmissionView } from '../registry/index.ts';
import { compareText, metadataOf, objectIfIn, objectsIn, textIn, textsOf } from '../values/index.ts';

/** One webhook of a configuration, with what is worked out once. */
export interface Webhook {
  readonly name: string;
  /** Of all webhooks there are: the configuration and the place in it. */
  readonly id: string;
  readonly clientConfig: JsonObject;
  readonly rules: readonly JsonObject[];
  readonly matchPolicy: string;
  readonly namespaceSelector: JsonObject | undefined;
  readonly objectSelector: JsonObject | undefined;
  readonly conditions: Conditions;
  readonly ignoresFailure: boolean;
  readonly sideEffects: string;
  readonly seconds: number;
  readonly reviewVersions: readonly string[];
  readonly reinvoked: boolean;
}

function webhookOf(webhook: JsonObject, configuration: string, index: number): Webhook {
  const conditions = objectsIn(webhook, 'matchConditions').map((condition) => ({
    name: textIn(condition, 'name'),
    expression: textIn(condition, 'expression'),
  }));
  return {
    name: textIn(webhook, 'name'),
    id: `${configuration}/${index}`,
    clientConfig: objectIfIn(webhook, 'clientConfig') ?? {},
    rules: objectsIn(webhook, 'rules'),
    matchPolicy: textIn(webhook, 'matchPolicy'),
    namespaceSelector: objectIfIn(webhook, 'namespaceSelector'),
    objectSelector: objectIfIn(webhook, 'objectSelector'),
    conditions: conditionsOf(conditions),
    ignoresFailure: textIn(webhook, 'failurePolicy') === 'Ignore',
    sideEffects: textIn(webhook, 'sideEffects'),
    seconds: Number(webhook['timeoutSeconds'] ?? 10),
    reviewVersions: textsOf(webhook['admissionReviewVersions']),
    reinvoked: textIn(webhook, 'reinvocationPolicy') === 'IfNeeded',
  };
}

/** By configuration object, which is another one after every change. */
const known = new WeakMap<JsonObject, readonly Webhook[]>();

function webhooksIn(configuration: JsonObject): readonly Webhook[] {
  const found = known.get(configuration);
  if (found !== undefined) return found;
  const name = textIn(metadataOf(configuration), 'name');
  const made = objectsIn(configuration, 'webhooks').map((webhook, index) => webhookOf(webhook, name, index));
  known.set(configuration, made);
  return made;
}

const none: readonly Webhook[] = [];

/** The webhooks of all configurations: these by name, their webhooks in their order. */
export function webhooksOf(plural: string, view: AdmissionView): readonly Webhook[] {
  const configurations = view.objects('admissionregistration.k8s.io', plural);
  if (configurations.length === 0) return none;
  const nameOf = (one: JsonObject): string => textIn(metadataOf(one), 'name');
  return [...configurations].sort((a, b) => compareText(nameOf(a), nameOf(b))).flatMap(webhooksIn);
}
