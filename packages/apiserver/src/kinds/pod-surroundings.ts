// What surrounds the containers of a pod: names it resolves, what it waits for, the system it is made for.
import type { JsonObject } from 'kilter/api';
import { hasFormat } from '../formats/index.ts';
import { duplicate, forbiddenField, invalidValue, required, tooLong, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, textIn, textsOf } from '../values/index.ts';
import { keyProblems, labelProblems, subdomainProblems } from './names.ts';

const keyIssues = (key: string, at: string): Issue[] => keyProblems(key).map((why) => invalidValue(at, key, why));

const addressIssues = (text: string, at: string): Issue[] =>
  hasFormat(text, 'ipv4') || hasFormat(text, 'ipv6')
    ? []
    : [invalidValue(at, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];

const mostServers = 3;
const mostDomains = 32;
const mostDomainText = 2048;

const domainPattern = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*';
const domainPart = /^_?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const domainText = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${domainPattern}')`;

/** A domain that is searched: a dot alone is the root, one at the end says that nothing is added. */
function domainIssues(domain: string, at: string): Issue[] {
  const name = domain === '.' ? 'root' : domain.replace(/\.$/, '');
  return [
    ...(name.length <= 253 ? [] : [invalidValue(at, name, 'must be no more than 253 characters')]),
    ...(name.split('.').every((part) => domainPart.test(part)) ? [] : [invalidValue(at, name, domainText)]),
  ];
}

function resolverIssues(spec: JsonObject, path: string): Issue[] {
  const config = objectIfIn(spec, 'dnsConfig');
  const at = `${path}.dnsConfig`;
  const none = textIn(spec, 'dnsPolicy') === 'None';
  if (config === undefined) return none ? [required(at, 'must provide `dnsConfig` when `dnsPolicy` is None')] : [];
  const [servers, domains] = [textsOf(config['nameservers']), textsOf(config['searches'])];
  const needed = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
  return [
    ...(none && servers.length === 0 ? [required(`${at}.nameservers`, needed)] : []),
    ...(servers.length > mostServers
      ? [invalidValue(`${at}.nameservers`, servers, `must not have more than ${mostServers} nameservers`)]
      : []),
    ...servers.flatMap((server, index) => addressIssues(server, `${at}.nameservers[${index}]`)),
    ...(domains.length > mostDomains
      ? [invalidValue(`${at}.searches`, domains, `must not have more than ${mostDomains} search paths`)]
      : []),
    ...(domains.join(' ').length > mostDomainText
      ? [
          invalidValue(
            `${at}.searches`,
            domains,
            `must not have more than ${mostDomainText} characters (including spaces) in the search list`,
          ),
        ]
      : []),
    ...domains.flatMap((domain, index) => domainIssues(domain, `${at}.searches[${index}]`)),
    ...objectsIn(config, 'options').flatMap((option, index) =>
      textIn(option, 'name') === '' ? [required(`${at}.options[${index}]`, 'must not be empty')] : [],
    ),
  ];
}

function gateIssues(spec: JsonObject, path: string): Issue[] {
  const seen = new Set<string>();
  return [
    ...objectsIn(spec, 'readinessGates').flatMap((gate, index) =>
      keyIssues(textIn(gate, 'conditionType'), `${path}.readinessGates[${index}].conditionType`),
    ),
    ...objectsIn(spec, 'schedulingGates').flatMap((gate, index) => {
      const name = textIn(gate, 'name');
      const at = `${path}.schedulingGates[${index}]`;
      const again = seen.has(name);
      seen.add(name);
      return [...keyIssues(name, at), ...(again ? [duplicate(at, name)] : [])];
    }),
  ];
}

function aliasIssues(spec: JsonObject, path: string): Issue[] {
  return objectsIn(spec, 'hostAliases').flatMap((alias, index) => {
    const at = `${path}.hostAliases[${index}]`;
    return [
      ...addressIssues(textIn(alias, 'ip'), `${at}.ip`),
      ...textsOf(alias['hostnames']).flatMap((name, place) =>
        subdomainProblems(name).map((why) => invalidValue(`${at}.hostnames[${place}]`, name, why)),
      ),
    ];
  });
}

const systems = ['linux', 'windows'];

function systemIssues(spec: JsonObject, path: string): Issue[] {
  const system = objectIfIn(spec, 'os');
  if (system === undefined) return [];
  const name = textIn(system, 'name');
  if (name === '') return [required(`${path}.os.name`)];
  return systems.includes(name) ? [] : [unsupported(`${path}.os`, name, systems)];
}

/** Users of its own a pod can have only where it shares nothing else of the node. */
function ownUsersIssues(spec: JsonObject, path: string): Issue[] {
  if (spec['hostUsers'] !== false) return [];
  return ['hostNetwork', 'hostPID', 'hostIPC']
    .filter((field) => spec[field] === true)
    .map((field) => forbiddenField(`${path}.${field}`, 'when `hostUsers` is false'));
}

const longestHostname = 64;

/** The name a pod gives itself instead of the one it would have. */
function hostnameIssues(spec: JsonObject, path: string): Issue[] {
  const { hostnameOverride: name = null } = spec;
  if (typeof name !== 'string') return [];
  const at = `${path}.hostnameOverride`;
  const beside = ['setHostnameAsFQDN', 'hostNetwork'].filter((field) => spec[field] === true);
  return [
    ...beside.map((field) => forbiddenField(at, `may not be specified when ${field} is true`)),
    ...(name.length > longestHostname ? [tooLong(at, longestHostname)] : []),
    ...subdomainProblems(name).map((why) => invalidValue(at, name, why)),
  ];
}

function runtimeIssues(spec: JsonObject, path: string): Issue[] {
  const name = textIn(spec, 'runtimeClassName');
  return name === '' ? [] : subdomainProblems(name).map((why) => invalidValue(`${path}.runtimeClassName`, name, why));
}

export function surroundingIssues(spec: JsonObject, path: string): Issue[] {
  return [
    ...resolverIssues(spec, path),
    ...gateIssues(spec, path),
    ...ownUsersIssues(spec, path),
    ...hostnameIssues(spec, path),
    ...runtimeIssues(spec, path),
  ];
}

/** A device is asked for by a claim that is there, or by one that is made for the pod. */
function claimIssues(spec: JsonObject, path: string): Issue[] {
  const seen = new Set<string>();
  return objectsIn(spec, 'resourceClaims').flatMap((claim, index) => {
    const at = `${path}.resourceClaims[${index}]`;
    const name = textIn(claim, 'name');
    const again = seen.has(name);
    const { resourceClaimName: own = null, resourceClaimTemplateName: made = null } = claim;
    const shown = { Name: name, ResourceClaimName: own, ResourceClaimTemplateName: made };
    const both = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
    const none = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
    if (name !== '') seen.add(name);
    return [
      ...(name === '' ? [required(`${at}.name`)] : []),
      ...(again ? [duplicate(`${at}.name`, name)] : []),
      ...(name === '' || again ? [] : labelProblems(name).map((why) => invalidValue(`${at}.name`, name, why))),
      ...(own !== null && made !== null ? [invalidValue(at, shown, both)] : []),
      ...(own === null && made === null ? [invalidValue(at, shown, none)] : []),
      ...['resourceClaimName', 'resourceClaimTemplateName'].flatMap((field) => {
        const text = textIn(claim, field);
        return text === '' ? [] : subdomainProblems(text).map((why) => invalidValue(`${at}.${field}`, text, why));
      }),
    ];
  });
}

/** What the server looks at last. */
export function lastIssues(spec: JsonObject, path: string): Issue[] {
  return [...aliasIssues(spec, path), ...systemIssues(spec, path), ...claimIssues(spec, path)];
}
