// Names of what containers, pods and claims ask for.
import { qualifiedNameFlaws } from '../formats/index.ts';

/** Names without a prefix, and those under kubernetes.io, are Kubernetes' own. */
const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

/** `hugepages-2Mi`, and with a prefix what quotas call it. */
export const isLargePages = (name: string, prefix = ''): boolean =>
  name.startsWith('hugepages-') || (prefix !== '' && name.startsWith(`${prefix}hugepages-`));

/** A resource of somebody else, whole in number: `example.com/gpu`. */
export function isForeignName(name: string): boolean {
  if (isNative(name) || name.startsWith('requests.')) return false;
  return qualifiedNameFlaws(`requests.${name}`).length === 0;
}

/** Whether more of it may be promised than there is. */
export const isOvercommitted = (name: string): boolean => isNative(name) && !isLargePages(name);

const ofContainers = new Set(['cpu', 'memory', 'ephemeral-storage']);
/** What a quota can count, in whole numbers. */
export const countedResources: readonly string[] = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const known = new Set([
  ...[...ofContainers].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
  ...countedResources,
  'storage',
  'requests.storage',
]);

/** What is wrong with the name of any resource. */
export function resourceNameFlaws(name: string): string[] {
  const flaws = qualifiedNameFlaws(name);
  if (flaws.length > 0 || name.includes('/') || known.has(name) || isLargePages(name, 'requests.')) return flaws;
  return ['must be a standard resource type or fully qualified'];
}

/** What is wrong with the name of what a container asks for. */
export function containerResourceFlaws(name: string): string[] {
  const flaws = resourceNameFlaws(name);
  if (!name.includes('/')) {
    const isOwn = ofContainers.has(name) || isLargePages(name);
    return isOwn ? flaws : [...flaws, 'must be a standard resource for containers'];
  }
  const isKnown = isNative(name) || isForeignName(name);
  return isKnown ? flaws : [...flaws, "doesn't follow extended resource name standard"];
}
