import { type Kind, kindLabel, labelsFault, labelSelector, type LabelTerm, parseLabelSelector } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import { parseDuration } from '../internal/index.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../k8s/meta/v1.ts';
import type { Operation, Webhook, WebhookOptions } from './declaration.ts';

/** A webhook with every default filled in, checked. */
export interface ResolvedWebhook {
  readonly type: Webhook['type'];
  readonly kind: Kind;
  readonly run: Webhook['run'];
  /** Where it is served, unique in an operator. */
  readonly path: string;
  /** Its name in the configuration, a full DNS name. */
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly subresource: string | undefined;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly timeoutSeconds: number;
  readonly sideEffects: 'None' | 'NoneOnDryRun';
  readonly matchConditions: readonly { readonly name: string; readonly expression: string }[];
  readonly namespaceSelector: LabelSelector | undefined;
  readonly objectSelector: LabelSelector | undefined;
  readonly matchPolicy: 'Equivalent' | 'Exact';
  readonly reinvocationPolicy: 'Never' | 'IfNeeded';
}

const verbs = { mutating: 'mutate', validating: 'validate' } as const;
const known: readonly string[] = ['CREATE', 'UPDATE', 'DELETE'] satisfies Operation[];

/** As controller-runtime has it: dots of the group become dashes, the core group is empty. */
function pathOf({ type, kind, options }: Webhook): string {
  const { group, version, kind: name } = kind.names;
  const part = options.subresource === undefined ? '' : `-${options.subresource.replaceAll('/', '-')}`;
  return `/${verbs[type]}-${group.replaceAll('.', '-')}-${version}-${name.toLowerCase()}${part}`;
}

/** At least three parts, as the API server wants it. */
function nameOf({ type, kind, options }: Webhook): string {
  const { group, version, plural } = kind.names;
  const own = options.path
    ?.toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const parts = [own, verbs[type], version, options.subresource?.replaceAll('/', '-'), plural, group];
  return parts.filter((part) => part !== undefined && part !== '').join('.');
}

function refusal(webhook: Webhook, message: string): KilterError {
  return new KilterError('WEBHOOK_OPTION_INVALID', `${webhook.type}(${kindLabel(webhook.kind.names)}): ${message}`);
}

function operationsOf(webhook: Webhook): readonly Operation[] {
  const { on = ['CREATE', 'UPDATE'] } = webhook.options;
  const unknown = on.find((operation) => !known.includes(operation));
  if (unknown !== undefined) throw refusal(webhook, `on has ${JSON.stringify(unknown)}; it takes ${known.join(', ')}`);
  if (on.length === 0) throw refusal(webhook, 'on is empty: the webhook would never be called');
  if (webhook.type === 'mutating' && on.includes('DELETE')) {
    throw refusal(webhook, 'on has "DELETE", but an object that is being deleted cannot be changed: use validating');
  }
  return [...new Set(on)];
}

function timeoutOf(webhook: Webhook): number {
  const { timeout = '10s' } = webhook.options;
  const seconds = (parseDuration(timeout) ?? Number.NaN) / 1000;
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 30) return seconds;
  throw refusal(webhook, `timeout is ${JSON.stringify(timeout)}; it takes whole seconds from 1s to 30s`);
}

const operators = { in: 'In', notin: 'NotIn', '=': 'In', '!=': 'NotIn', exists: 'Exists', absent: 'DoesNotExist' };

/** Undefined for what webhook configurations cannot say. */
function requirementOf({ key, operator, values }: LabelTerm): LabelSelectorRequirement | undefined {
  if (operator === '<' || operator === '>') return undefined;
  const compares = operator !== 'exists' && operator !== 'absent';
  return { key, operator: operators[operator], ...(compares && { values: [...values] }) };
}

/** Terms as everywhere in Kilter, in the form of configurations. */
function selectorOf(webhook: Webhook, field: 'namespaceSelector' | 'objectSelector'): LabelSelector | undefined {
  const given = webhook.options[field];
  if (given === undefined) return undefined;
  const fault = labelsFault(given);
  if (fault !== undefined) throw refusal(webhook, `${field}: ${fault}`);
  const terms = parseLabelSelector(labelSelector(given))?.map(requirementOf);
  if (terms?.every((term) => term !== undefined) === true) return { matchExpressions: terms };
  throw refusal(webhook, `${field} is ${JSON.stringify(given)}, which is not a label selector for webhooks`);
}

function checkPath(webhook: Webhook, path: string): string {
  if (/^\/[\w./-]+$/.test(path) && path !== '/convert') return path;
  throw refusal(
    webhook,
    `path is ${JSON.stringify(path)}; it takes / and letters, digits, -, _, . and /, but not /convert`,
  );
}

/** Every option; of those that take one of few words, the words. */
const optionWords: Readonly<Record<keyof WebhookOptions<Operation>, readonly string[] | undefined>> = {
  on: undefined,
  subresource: undefined,
  failurePolicy: ['Fail', 'Ignore'],
  timeout: undefined,
  sideEffects: ['None', 'NoneOnDryRun'],
  matchConditions: undefined,
  namespaceSelector: undefined,
  objectSelector: undefined,
  matchPolicy: ['Equivalent', 'Exact'],
  reinvocation: ['Never', 'IfNeeded'],
  path: undefined,
};

/** A word that is misspelt must not leave the default standing unseen; types forbid it. */
function checkOptions(webhook: Webhook): void {
  for (const [name, value] of Object.entries(webhook.options)) {
    if (!Object.hasOwn(optionWords, name)) {
      throw refusal(webhook, `there is no option ${inShort(name)}; there are ${Object.keys(optionWords).join(', ')}`);
    }
    const words = optionWords[name as keyof typeof optionWords];
    if (words === undefined || value === undefined || words.includes(value as string)) continue;
    throw refusal(webhook, `${name} is ${inShort(value)}; it takes ${words.join(' or ')}`);
  }
}

/** What the user gave, with defaults, checked. */
export function resolveWebhook(webhook: Webhook): ResolvedWebhook {
  const { type, kind, run, options } = webhook;
  if (typeof run !== 'function') throw refusal(webhook, 'its function is missing');
  checkOptions(webhook);
  return {
    type,
    kind,
    run,
    path: checkPath(webhook, options.path ?? pathOf(webhook)),
    name: nameOf(webhook),
    operations: operationsOf(webhook),
    subresource: options.subresource,
    failurePolicy: options.failurePolicy ?? 'Fail',
    timeoutSeconds: timeoutOf(webhook),
    sideEffects: options.sideEffects ?? 'None',
    matchConditions: Object.entries(options.matchConditions ?? {}).map(([name, expression]) => ({ name, expression })),
    namespaceSelector: selectorOf(webhook, 'namespaceSelector'),
    objectSelector: selectorOf(webhook, 'objectSelector'),
    matchPolicy: options.matchPolicy ?? 'Equivalent',
    reinvocationPolicy: options.reinvocation ?? 'Never',
  };
}

/** All webhooks of an operator, each at its own path. */
export function resolveWebhooks(webhooks: readonly Webhook[]): readonly ResolvedWebhook[] {
  const foreign = webhooks.findIndex((one) => typeof one?.kind?.names !== 'object');
  if (foreign >= 0) {
    const cure = 'make it with mutating(Kind, run) or validating(Kind, run)';
    throw new KilterError('WEBHOOK_OPTION_INVALID', `webhooks[${foreign}] is not a webhook`, { cure });
  }
  const resolved = webhooks.map(resolveWebhook);
  const paths = resolved.map(({ path }) => path);
  const twice = paths.find((path, i) => paths.indexOf(path) !== i);
  if (twice === undefined) return resolved;
  const both = resolved
    .filter(({ path }) => path === twice)
    .map(({ type, kind }) => `${type}(${kindLabel(kind.names)})`);
  throw new KilterError('WEBHOOK_PATH_TAKEN', `${both.join(' and ')} are both served at ${twice}`);
}
