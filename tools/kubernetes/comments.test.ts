import { beforeAll, describe, expect, test } from 'vitest';
import { readFacts } from './facts.ts';
import { Meanings } from './meanings.ts';
import { readMembers } from './members.ts';
import { modulesFolder, type Outputs, outputsOf } from './outputs.ts';
import { heldByApi } from './type-names.ts';

const meanings = new Meanings();
const facts = readFacts();
const members = readMembers();
let outputs: Outputs;
beforeAll(async () => {
  outputs = await outputsOf({ facts, members, meanings });
});

interface Printed {
  /** `apps/v1 DeploymentSpec.replicas` */
  readonly place: string;
  readonly comment: string;
  readonly type: string;
}

/** The members of all generated types with the comment before each, markup and line ends taken away. */
function printed(): Printed[] {
  const modules = [...outputs.files].filter(([path]) => path.startsWith(modulesFolder));
  return modules.flatMap(([path, text]) => {
    const module = path.slice(modulesFolder.length + 1).replace(/\.ts$/, '');
    return [...text.matchAll(/^export (?:interface|type) (\w+).*\{\n([^]*?)^\}/gm)].flatMap(([, name, body = '']) =>
      [...body.matchAll(/((?:^ {2} ?(?:\/\*\*|\*).*\n)*)^ {2}(['\w$-]+)\??: ?([^;]*);/gm)].map(
        ([, comment = '', member = '', type = '']) => ({
          place: `${module} ${name}.${member.replaceAll("'", '')}`,
          comment: comment
            .replace(/^\s*(?:\/\*\*|\*\/|\*)|\*\/$/gm, '')
            .replace(/\s+/g, ' ')
            .trim(),
          type: type.replace(/\s+/g, ' '),
        }),
      ),
    );
  });
}

const find = (place: string): Printed => {
  const found = printed().find((one) => one.place === place);
  if (found === undefined) throw new Error(`there is no ${place}`);
  return found;
};

const link =
  /\[\w+\]\(https:\/\/kubernetes\.io\/docs\/reference\/generated\/kubernetes-api\/v1\.36\/#[a-z0-9]+-v\w+-[a-z0-9-]+\)/;
const proseOf = (comment: string): string =>
  comment
    .replace(link, '')
    .replace(/@deprecated.*/, '')
    .trim();

describe('comments of built-in kinds', () => {
  test('every member has one', () => {
    const all = printed();
    const known = facts.flatMap((one) => Object.entries(one.components)).filter(([name]) => !(name in heldByApi));
    const counted = known.reduce((sum, [, { properties = {} }]) => sum + Object.keys(properties).length, 0);
    // Three more in Embedded; kinds have apiVersion, kind and metadata whatever the documents say.
    expect(all.length).toBeGreaterThanOrEqual(counted);
    expect(all.filter(({ comment }) => comment === '').map(({ place }) => place)).toEqual([]);
  });

  test('a comment says more than the name does, in a sentence, and ends where the reference is', () => {
    const wordsOf = (name: string): string => name.replace(/[^A-Za-z]/g, '').toLowerCase();
    const noise = printed().filter(({ place, comment }) => {
      const [first = ''] = proseOf(comment).split('. ');
      return first.split(' ').length < 2 || wordsOf(first) === wordsOf(place.slice(place.indexOf('.') + 1));
    });
    expect(noise.filter(({ comment }) => !/^(?:Always `|Base64)/.test(comment)).map(({ place }) => place)).toEqual([]);
    const sentences = printed().map(({ comment }) => proseOf(comment));
    expect(sentences.filter((text) => !/^[A-Z`]/.test(text) || !/[.`]$/.test(text))).toEqual([]);
    expect(sentences.filter((text) => text.length > 320)).toEqual([]);
    const bare = printed().filter(({ comment }) => !link.test(comment));
    expect(new Set(bare.map(({ place }) => place.replace(/.*\./, '')))).toEqual(
      new Set(['apiVersion', 'kind', 'metadata']),
    );
  });

  test.each([
    ['apps/v1 DeploymentSpec.replicas', 'How many Pods are wanted. Default: `1`.'],
    ['apps/v1 DeploymentSpec.strategy', 'How old Pods are replaced by new ones.'],
    [
      'apps/v1 DeploymentStrategy.type',
      'Whether old Pods go first (`Recreate`) or step by step (`RollingUpdate`). Default: `RollingUpdate`.',
    ],
    [
      'core/v1 PodSpec.terminationGracePeriodSeconds',
      'How long the Pod may take to end, `preStop` included, before it is killed; 0 kills it at once. In seconds. Default: `30`. At least 0.',
    ],
    [
      'core/v1 Container.imagePullPolicy',
      'When the image is fetched. `Always` for the tag `latest`, else `IfNotPresent`, unless given. Cannot be changed in a Pod that exists.',
    ],
    [
      'core/v1 Container.ports',
      'Ports the container listens on. For information: a port that is not listed can be reached too. Items are told apart by `containerPort` and `protocol`. Cannot be changed in a Pod that exists.',
    ],
    ['core/v1 ContainerPort.containerPort', 'Number of the port in the Pod. From 1 to 65535. Required.'],
    [
      'core/v1 ServiceSpec.type',
      'How the Service can be reached: inside the cluster, at a port of every Node, through a load balancer, or as an alias. Default: `ClusterIP`.',
    ],
    [
      'autoscaling/v2 HorizontalPodAutoscalerSpec.metrics',
      'What decides about the number of Pods; the metric that asks for the most wins. Default: 80 % CPU. Applied as a whole.',
    ],
    [
      'core/v1 PodSpec.hostnameOverride',
      expect.stringMatching(
        /DNS records do not change\. At most 64 characters\. Beta since 1\.\d+ \(feature gate `HostnameOverride`\)\.$/,
      ),
    ],
  ])('%s', (place, expected) => {
    expect(proseOf(find(place).comment)).toEqual(expected);
  });

  test.each([
    ['core/v1 Container.imagePullPolicy', "'Always' | 'Never' | 'IfNotPresent' | (string & {}) | undefined"],
    ['apps/v1 DeploymentStrategy.type', "'Recreate' | 'RollingUpdate' | (string & {}) | undefined"],
    ['networking/v1 HTTPIngressPath.pathType', "'Exact' | 'Prefix' | 'ImplementationSpecific' | (string & {})"],
    ['events/v1 Event.eventTime', 'MicroTime | null'],
    ['storage/v1 CSINodeSpec.drivers', 'CSINodeDriver[]'],
  ])('%s is %s', (place, type) => {
    expect(find(place).type).toBe(type);
  });

  test('all known values are unions that stay open', () => {
    const unions = printed().filter(({ type }) => /'[^']*' \| /.test(type));
    const withValues = Object.values(members).flatMap(({ fields = {} }) =>
      Object.values(fields).filter(({ values }) => values !== undefined),
    );
    expect(unions.length).toBeGreaterThan(150);
    expect(unions.length).toBeLessThanOrEqual(withValues.length);
    expect(unions.filter(({ type }) => !type.includes('(string & {})')).map(({ place }) => place)).toEqual([]);
  });

  test('what Kubernetes has deprecated says so, and what to do instead', () => {
    const tagged = printed().filter(({ comment }) => comment.includes('@deprecated'));
    const known = Object.entries(members)
      .filter(([component]) => !(component in heldByApi))
      .flatMap(([, { fields = {} }]) => Object.values(fields).filter(({ deprecated }) => deprecated === true));
    expect(tagged).toHaveLength(known.length);
    expect(find('core/v1 PodSpec.serviceAccount').comment).toMatch(/@deprecated Use `serviceAccountName`\.$/);
    const core = outputs.files.get(`${modulesFolder}/core/v1.ts`) ?? '';
    expect(core).toContain(
      '/** @deprecated Use EndpointSlice of `kilter/k8s/discovery/v1`. */\nexport const Endpoints:',
    );
  });

  test('every line of the meanings is used', () => {
    expect(outputs.files.size).toBeGreaterThan(30);
    expect(meanings.unused).toEqual([]);
  });
});
