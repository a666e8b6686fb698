// The addresses of Services inside the cluster: what may be asked for, and what this cluster, of one family, can give.
import type { JsonObject } from 'kilter/api';
import { hasFormat } from '../formats/index.ts';
import { duplicate, invalidValue, required, unsupported } from '../status/index.ts';
import { type Issue, repeatsIn, textIn, textOf, textsOf } from '../values/index.ts';
import { isFreeOfFamilies } from './builtin-service-defaults.ts';
import type { ServiceRange } from './service-range.ts';

export const addressProblems = (text: string): string[] =>
  hasFormat(text, 'ipv4') || hasFormat(text, 'ipv6')
    ? []
    : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];

const familyOf = (address: string): string => (address.includes(':') ? 'IPv6' : 'IPv4');

const field = 'spec.clusterIPs';
const familiesField = 'spec.ipFamilies';
const policyField = 'spec.ipFamilyPolicy';

/** The two fields of the first address say the same. */
function agreementIssues(first: string, all: string[]): Issue[] {
  if (first === '') {
    return all.length > 0 ? [invalidValue(field, all, 'must be empty when `clusterIP` is not specified')] : [];
  }
  if (all.length === 0) return [required(field)];
  return all[0] === first ? [] : [invalidValue(field, all, 'first value must match `clusterIP`')];
}

const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const families = ['IPv4', 'IPv6'];

function wordIssues(spec: JsonObject): Issue[] {
  const asked = textsOf(spec['ipFamilies']);
  const again = repeatsIn(asked);
  const policy = spec['ipFamilyPolicy'] ?? null;
  return [
    ...asked.flatMap((family, index) => [
      ...(families.includes(family) ? [] : [unsupported(`${familiesField}[${index}]`, family, families)]),
      ...(again.has(index) ? [duplicate(`${familiesField}[${index}]`, family)] : []),
    ]),
    ...(policy === null || policies.includes(textOf(policy)) ? [] : [unsupported(policyField, policy, policies)]),
  ];
}

function formIssues(all: string[], kept: string[]): Issue[] {
  return all.flatMap((address, index) => {
    if (index === 0 && address === 'None') {
      return all.length > 1 ? [invalidValue(field, all, "'None' must be the first and only value")] : [];
    }
    const problems = kept.includes(address) ? [] : addressProblems(address);
    return problems.map((problem) => invalidValue(`${field}[${index}]`, address, problem));
  });
}

function pairIssues(all: string[], asked: string[]): Issue[] {
  const twice = all.length > 1 && new Set(all.map(familyOf)).size === 1;
  const once = 'may specify no more than one IP for each IP family';
  const headless = all[0] === 'None';
  const foreign = all.flatMap((address, index) => {
    const wanted = asked[index];
    if (headless || wanted === undefined || !families.includes(wanted) || wanted === familyOf(address)) return [];
    const why = `expected an ${wanted} value as indicated by \`ipFamilies[${index}]\``;
    return [invalidValue(`${field}[${index}]`, address, why)];
  });
  return [...(twice ? [invalidValue(field, all, once)] : []), ...foreign];
}

/** What is wrong with the addresses whatever the cluster. */
export function clusterAddressIssues(spec: JsonObject, before: JsonObject = {}): Issue[] {
  if (textIn(spec, 'type') === 'ExternalName') return [];
  const all = textsOf(spec['clusterIPs']);
  const form = formIssues(all, textsOf(before['clusterIPs']));
  return [
    ...agreementIssues(textIn(spec, 'clusterIP'), all),
    ...wordIssues(spec),
    ...form,
    ...(all.length > 2 ? [invalidValue(field, all, 'may only hold up to 2 values')] : []),
    ...(form.length > 0 ? [] : pairIssues(all, textsOf(spec['ipFamilies']))),
  ];
}

/** The families that the addresses have beyond those that were asked for are this cluster's own. */
function policyIssues(spec: JsonObject): Issue[] {
  const all = textsOf(spec['clusterIPs']);
  const asked = textsOf(spec['ipFamilies']);
  const single = (spec['ipFamilyPolicy'] ?? 'SingleStack') === 'SingleStack';
  const two = (what: string): string =>
    `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
  const inferred = all[0] === 'None' ? [] : all.map((address, index) => [address, index] as const).slice(asked.length);
  return [
    ...(single && all.length === 2 ? [invalidValue(policyField, 'SingleStack', two('cluster IPs'))] : []),
    ...(single && asked.length === 2 ? [invalidValue(policyField, 'SingleStack', two('IP families'))] : []),
    ...inferred.flatMap(([address, index]) =>
      familyOf(address) === 'IPv4'
        ? []
        : [invalidValue(`${field}[${index}]`, all, 'IPv6 is not configured on this cluster')],
    ),
  ];
}

/** Of one family there is nothing to give. */
function clusterIssues(spec: JsonObject): Issue[] {
  if (isFreeOfFamilies(spec)) return [];
  const dual = spec['ipFamilyPolicy'] === 'RequireDualStack';
  const why = 'this cluster is not configured for dual-stack services';
  return [
    ...(dual ? [invalidValue(policyField, 'RequireDualStack', why)] : []),
    ...textsOf(spec['ipFamilies']).flatMap((family, index) =>
      family === 'IPv4' ? [] : [invalidValue(`${familiesField}[${index}]`, family, 'not configured on this cluster')],
    ),
  ];
}

/** Why a Service cannot have addresses as it asks; reported before its other flaws, and one kind of reason at a time. */
export function addressRefusal(given: JsonObject, before?: JsonObject): Issue[] {
  if (textIn(given, 'type') === 'ExternalName') return [];
  const spec = { ...given, clusterIPs: addressesOf(given) };
  for (const look of [clusterAddressIssues, policyIssues, clusterIssues]) {
    const issues = look(spec, before);
    if (issues.length > 0) return issues;
  }
  return [];
}

/** Who names the first address alone means both fields. */
function addressesOf(spec: JsonObject): string[] {
  const all = textsOf(spec['clusterIPs']);
  const first = textIn(spec, 'clusterIP');
  return all.length === 0 && first !== '' ? [first] : all;
}

const withoutZeros = (address: string): string => address.split('.').map(Number).join('.');

/** Why the address that a new Service asks for cannot be its own. */
export function allocationIssues(
  spec: JsonObject,
  { range, isTaken, dryRun }: { range: ServiceRange; isTaken: (address: string) => boolean; dryRun: boolean },
): Issue[] {
  const all = addressesOf(spec);
  const [asked = ''] = all;
  if (!hasFormat(asked, 'ipv4')) return [];
  const address = withoutZeros(asked);
  const told = (why: string): Issue[] => [invalidValue(field, all, `failed to allocate IP ${asked}: ${why}`)];
  if (!range.includes(address)) {
    // A dry run gets the words of the range itself, a real write those of all ranges.
    return told(
      dryRun
        ? `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range.cidr}`
        : 'the provided network does not match the current range',
    );
  }
  return !dryRun && isTaken(address) ? told('provided IP is already allocated') : [];
}
