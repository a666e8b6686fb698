// Three mini projects that say the same: every built-in kind of version v1, and ten custom resources.
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { moduleOf, readFacts, type ResourceFact } from '../../tools/kubernetes/facts.ts';

const workspace = resolve(import.meta.dirname, '../..');
const peers = resolve(workspace, 'bench/peers/node_modules');

/**
 * `bare` is Kilter with declarations of kinds that say no more than the types: what comments and known values cost. `before` is
 * Kilter of an earlier commit.
 */
export type Library = 'kilter' | 'bare' | 'before' | 'client-node' | 'models';

export interface Project {
  readonly library: Library;
  readonly folder: string;
  /** Built-in kinds it imports: all that the library has of those Kubernetes has. */
  readonly kinds: number;
}

interface Kind extends ResourceFact {
  readonly group: string;
  readonly module: string;
}

function kindsOfV1(): Kind[] {
  const facts = readFacts().filter(({ version }) => version === 'v1');
  return facts.flatMap((one) =>
    one.resources
      .filter(({ verbs }) => verbs.includes('list'))
      .map((resource) => ({ ...resource, group: one.group, module: moduleOf(one) })),
  );
}

/** A name that is free of clashes: Events are in two groups. */
const local = ({ group, kind }: Kind): string => `${kind}${group === 'events.k8s.io' ? 'OfEvents' : ''}`;

const uses = (kinds: readonly Kind[]): string =>
  kinds
    .map((kind) => `export const use${local(kind)} = (object: ${local(kind)}): string => nameOf(object);`)
    .join('\n');

const nameOf =
  'const nameOf = (object: { kind?: string; metadata?: { name?: string } }): string => `${object.kind} ${object.metadata?.name}`;';

function grouped(kinds: readonly Kind[], moduleName: (kind: Kind) => string): string {
  const byModule = Map.groupBy(kinds, moduleName);
  const names = (members: readonly Kind[]): string =>
    members.map((kind) => (local(kind) === kind.kind ? kind.kind : `${kind.kind} as ${local(kind)}`)).join(', ');
  return [...byModule].map(([module, members]) => `import { ${names(members)} } from '${module}';`).join('\n');
}

const labels = "{ app: 'web' }";
const template = `{ metadata: { labels: ${labels} }, spec: { containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }], env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }], readinessProbe: { httpGet: { path: '/', port: 80 } }, resources: { limits: { cpu: '1' } }, volumeMounts: [{ name: 'v', mountPath: '/v' }] }], volumes: [{ name: 'v', configMap: { name: 'c' } }], affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector: { matchLabels: ${labels} } }] } } } }`;
const deployment = `spec: { replicas: 2, selector: { matchLabels: ${labels} }, template: ${template} }`;
const service = `spec: { selector: ${labels}, ports: [{ port: 80, targetPort: 'http' }] }`;
const metadata = "metadata: { name: 'x', namespace: 'default' }";

interface Sources {
  readonly kinds: readonly Kind[];
  readonly text: string;
}

function kilter(all: readonly Kind[]): Sources {
  const made = `export const deployment = Deployment.build({ name: 'x', namespace: 'default', ${deployment} });
export const service = Service.build({ name: 'x', namespace: 'default', ${service} });`;
  return {
    kinds: all,
    text: [grouped(all, ({ module }) => `kilter/k8s/${module}`), nameOf, uses(all), made].join('\n\n'),
  };
}

function clientNode(all: readonly Kind[]): Sources {
  const folder = resolve(peers, '@kubernetes/client-node/dist/gen/models');
  const nameIn = ({ group, kind }: Kind): string | undefined => {
    const owner = group === '' ? 'Core' : `${group.charAt(0).toUpperCase()}${group.slice(1).split('.')[0]}`;
    const names = [`${owner}V1${kind}`, `V1${kind}`];
    return names.find((name) => existsSync(resolve(folder, `${name}.d.ts`)));
  };
  const kinds = all.filter((kind) => nameIn(kind) !== undefined);
  const names = kinds.map((kind) => `${nameIn(kind)} as ${local(kind)}`);
  const head = `import { ${names.join(', ')} } from '@kubernetes/client-node';`;
  const made = `export const deployment: Deployment = { apiVersion: 'apps/v1', kind: 'Deployment', ${metadata}, ${deployment} };
export const service: Service = { apiVersion: 'v1', kind: 'Service', ${metadata}, ${service} };`;
  return { kinds, text: [head, nameOf, uses(kinds), made].join('\n\n') };
}

function models(all: readonly Kind[]): Sources {
  const folder = ({ group }: Kind): string => (group === '' ? 'v1' : `${group}/v1`);
  const kinds = all.filter((kind) =>
    existsSync(resolve(peers, 'kubernetes-models', folder(kind), `${kind.kind}.d.ts`)),
  );
  const made = `export const deployment = new Deployment({ ${metadata}, ${deployment} });
export const service = new Service({ ${metadata}, ${service} });`;
  return {
    kinds,
    text: [grouped(kinds, (kind) => `kubernetes-models/${folder(kind)}`), nameOf, uses(kinds), made].join('\n\n'),
  };
}

/** As a new project has it: strict, and declaration files of packages are trusted. */
const compilerOptions = {
  target: 'es2024',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
};

const makers: Readonly<Record<Library, (all: readonly Kind[]) => Sources>> = {
  kilter,
  bare: kilter,
  before: kilter,
  'client-node': clientNode,
  models,
};

/** Every package of a folder as its own link, so that zod can be next to those of the peers. */
function linkPackages(from: string, to: string, skip: readonly string[] = []): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (!name.startsWith('.') && !skip.includes(name)) symlinkSync(resolve(from, name), resolve(to, name));
  }
}

/** A declaration without comments, and with plain text where values are known. */
function bare(declaration: string): string {
  const silent = declaration.replace(/^\s*\/\*\*[^]*?\*\/\n/gm, '');
  return silent.replace(/(?:"[^"\n]*" \| |'[^'\n]*' \| )+\(string & \{\}\)/g, 'string');
}

/** The published package with bare declarations of kinds. */
function writeBarePackage(to: string): void {
  const from = resolve(workspace, 'packages/kilter');
  cpSync(resolve(from, 'package.json'), resolve(to, 'package.json'));
  const isDeclaration = (path: string): boolean => !path.includes('.') || path.endsWith('.d.ts');
  cpSync(resolve(from, 'dist'), resolve(to, 'dist'), {
    recursive: true,
    filter: (path) => isDeclaration(path.slice(from.length)),
  });
  for (const file of globSync('dist/k8s/**/*.d.ts', { cwd: to })) {
    writeFileSync(resolve(to, file), bare(readFileSync(resolve(to, file), 'utf8')));
  }
}

export interface Wanted {
  readonly library: Library;
  /** How its custom resources are written. */
  readonly form: string;
  readonly custom: string;
  /** The checkout that `before` is taken from. */
  readonly checkout?: string | undefined;
}

/** Writes a project below the folder; its packages are found through links. */
export function writeProject(root: string, { library, form, custom, checkout = workspace }: Wanted): Project {
  const folder = resolve(root, `${library} ${form}`.replaceAll(' ', '-'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { kinds, text } = makers[library](kindsOfV1());
  writeFileSync(resolve(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  writeFileSync(resolve(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  writeFileSync(resolve(folder, 'built-in.ts'), `${text}\n`);
  if (custom !== '') writeFileSync(resolve(folder, 'custom.ts'), custom);
  const packages = resolve(folder, 'node_modules');
  const ours = library === 'kilter' || library === 'bare' || library === 'before';
  const skipped = library === 'kilter' ? [] : ['kilter'];
  linkPackages(resolve(workspace, 'node_modules'), packages, ours ? skipped : readdirSync(peers));
  if (library === 'bare') writeBarePackage(resolve(packages, 'kilter'));
  if (library === 'before') symlinkSync(resolve(checkout, 'packages/kilter'), resolve(packages, 'kilter'));
  if (!ours) linkPackages(peers, packages);
  return { library, folder, kinds: kinds.length };
}
