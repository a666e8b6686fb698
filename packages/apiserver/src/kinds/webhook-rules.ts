import type { JsonObject } from 'kilter/api';
import { duplicate, forbiddenField, invalidValue, outOfRange, required, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, quote, textIn, textOf, textsOf } from '../values/index.ts';
import { goUrlProblem } from './go-url.ts';
import { conditionIssues, labelSelectorIssues, oneOfIssues, ruleIssues } from './matching-rules.ts';
import { dns1035Label, subdomainProblems } from './names.ts';

const form = '; desired format: https://host[/path]';

function urlIssues(text: string, at: string): Issue[] {
  const problem = goUrlProblem(text);
  if (problem !== undefined) return [required(at, `url must be a valid URL: parse ${quote(text)}: ${problem}${form}`)];
  const [, scheme = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  const [, authority = ''] = /^[^:/?#]+:\/\/([^/?#]*)/.exec(text) ?? [];
  const [user = '', host = ''] = authority.includes('@') ? authority.split('@') : ['', authority];
  const [, query = ''] = /\?([^#]*)/.exec(text) ?? [];
  const [, fragment = ''] = /#(.*)$/.exec(text) ?? [];
  return [
    ...(scheme === 'https' ? [] : [invalidValue(at, scheme, `'https' is the only allowed URL scheme${form}`)]),
    ...(host === '' ? [invalidValue(at, host, `host must be specified${form}`)] : []),
    ...(user === '' ? [] : [invalidValue(at, user, 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalidValue(at, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalidValue(at, query, 'query parameters are not permitted in the URL')]),
  ];
}

function pathIssues(path: string, at: string): Issue[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return [invalidValue(at, path, 'segment[0] may not be empty')];
  const begins = path.startsWith('/') ? [] : [invalidValue(at, path, "must start with a '/'")];
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  return [
    ...begins,
    ...segments.flatMap((segment, index) => {
      if (segment === '') return [invalidValue(at, path, `segment[${index}] may not be empty`)];
      return subdomainProblems(segment).map((why) => invalidValue(at, path, `segment[${index}]: ${why}`));
    }),
  ];
}

function serviceIssues(service: JsonObject, at: string): Issue[] {
  const port = Number(service['port'] ?? 443);
  const wrongPort = outOfRange('', port, [1, 65_535]).length > 0;
  const why = 'port is not valid: must be between 1 and 65535, inclusive';
  return [
    ...(textIn(service, 'name') === '' ? [required(`${at}.name`)] : []),
    ...(textIn(service, 'namespace') === '' ? [required(`${at}.namespace`)] : []),
    ...(wrongPort ? [invalidValue(`${at}.port`, port, why)] : []),
    ...pathIssues(textIn(service, 'path'), `${at}.path`),
  ];
}

/** What is wrong with the way to a webhook. */
export function clientConfigIssues(clientConfig: JsonObject, at: string): Issue[] {
  const { url } = clientConfig;
  const service = objectIfIn(clientConfig, 'service');
  const hasUrl = url !== undefined && url !== null;
  if (hasUrl === (service !== undefined)) return [required(at, 'exactly one of url or service is required')];
  return service === undefined ? urlIssues(textOf(url), `${at}.url`) : serviceIssues(service, `${at}.service`);
}

const reviewVersions = ['v1', 'v1beta1'];

/** The versions of the review a webhook takes: at least one this server speaks. */
export function reviewVersionIssues(versions: readonly string[], at: string, missing?: string): Issue[] {
  if (versions.length === 0) return [required(at, missing)];
  const seen = new Set<string>();
  const each = versions.flatMap((version, index) => {
    if (seen.has(version)) return [invalidValue(`${at}[${index}]`, version, 'duplicate version')];
    seen.add(version);
    return dns1035Label(version).map((why) => invalidValue(`${at}[${index}]`, version, why));
  });
  const isKnown = versions.some((version) => reviewVersions.includes(version));
  const known = isKnown
    ? []
    : [invalidValue(at, [...versions], `must include at least one of ${reviewVersions.join(', ')}`)];
  return [...each, ...known];
}

function nameIssues(name: string, at: string): Issue[] {
  if (name === '') return [required(at)];
  const problems = subdomainProblems(name);
  if (problems.length > 0) return problems.map((why) => invalidValue(at, name, why));
  return name.split('.').length < 3
    ? [invalidValue(at, name, 'should be a domain with at least three segments separated by dots')]
    : [];
}

const effects = ['None', 'NoneOnDryRun'];

function effectIssues(webhook: JsonObject, at: string): Issue[] {
  const { sideEffects } = webhook;
  if (sideEffects === undefined || sideEffects === null)
    return [required(at, `must specify one of ${effects.join(', ')}`)];
  return effects.includes(textOf(sideEffects)) ? [] : [unsupported(at, sideEffects, effects)];
}

function timeoutIssues(webhook: JsonObject, at: string): Issue[] {
  const seconds = Number(webhook['timeoutSeconds'] ?? 10);
  return seconds >= 1 && seconds <= 30
    ? []
    : [invalidValue(at, seconds, 'the timeout value must be between 1 and 30 seconds')];
}

function webhookIssues(webhook: JsonObject, at: string): Issue[] {
  return [
    ...nameIssues(textIn(webhook, 'name'), `${at}.name`),
    ...objectsIn(webhook, 'rules').flatMap((rule, index) => ruleIssues(rule, `${at}.rules[${index}]`)),
    ...oneOfIssues(webhook, `${at}.failurePolicy`, ['Fail', 'Ignore']),
    ...oneOfIssues(webhook, `${at}.matchPolicy`, ['Equivalent', 'Exact']),
    ...effectIssues(webhook, `${at}.sideEffects`),
    ...timeoutIssues(webhook, `${at}.timeoutSeconds`),
    ...labelSelectorIssues(objectIfIn(webhook, 'namespaceSelector'), `${at}.namespaceSelector`),
    ...labelSelectorIssues(objectIfIn(webhook, 'objectSelector'), `${at}.objectSelector`),
    ...oneOfIssues(webhook, `${at}.reinvocationPolicy`, ['IfNeeded', 'Never']),
    ...clientConfigIssues(objectIfIn(webhook, 'clientConfig') ?? {}, `${at}.clientConfig`),
    ...conditionIssues(objectsIn(webhook, 'matchConditions'), `${at}.matchConditions`),
    ...reviewVersionIssues(
      textsOf(webhook['admissionReviewVersions']),
      `${at}.admissionReviewVersions`,
      `must specify one of ${reviewVersions.join(', ')}`,
    ),
  ];
}

/** What is wrong with a configuration of webhooks beyond its schema. */
export function webhookConfigurationIssues(configuration: JsonObject): Issue[] {
  const names = new Set<string>();
  return objectsIn(configuration, 'webhooks').flatMap((webhook, index) => {
    const name = textIn(webhook, 'name');
    const repeated = name !== '' && names.has(name) ? [duplicate(`webhooks[${index}].name`, name)] : [];
    names.add(name);
    return [...webhookIssues(webhook, `webhooks[${index}]`), ...repeated];
  });
}

const unwanted = 'should not be set when strategy is not set to Webhook';

/** What is wrong with `spec.conversion` of a definition; the server names fields as its oldest version had them. */
export function conversionIssues(conversion: JsonObject): Issue[] {
  const strategy = textIn(conversion, 'strategy');
  const at = 'spec.conversion';
  const known = ['', 'None', 'Webhook'].includes(strategy)
    ? []
    : [unsupported(`${at}.strategy`, strategy, ['None', 'Webhook'])];
  const webhook = objectIfIn(conversion, 'webhook');
  const clientConfig = objectIfIn(webhook ?? {}, 'clientConfig');
  const versions = textsOf(webhook?.['conversionReviewVersions']);
  if (strategy !== 'Webhook') {
    return [
      ...known,
      ...(versions.length === 0 ? [] : [forbiddenField(`${at}.conversionReviewVersions`, unwanted)]),
      ...(clientConfig === undefined ? [] : [forbiddenField(`${at}.webhookClientConfig`, unwanted)]),
    ];
  }
  return [
    ...reviewVersionIssues(versions, `${at}.conversionReviewVersions`),
    ...(clientConfig === undefined
      ? [required(`${at}.webhookClientConfig`, 'required when strategy is set to Webhook')]
      : clientConfigIssues(clientConfig, `${at}.webhookClientConfig`)),
  ];
}
