// What a person can do to the children of a WebApp, field by field.
import type { Client } from 'kilter';
import type { KubeObject } from 'kilter/api';
import { Deployment } from 'kilter/k8s/apps/v1';
import { Service } from 'kilter/k8s/core/v1';
import { expect } from 'vitest';

export interface Children {
  readonly deployment: Deployment;
  readonly service: Service;
}

type Path = readonly string[];
type Leaf = readonly [Path, unknown];
type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Every single value of an object, with its path. */
const leavesOf = (value: unknown, at: Path = []): Leaf[] =>
  isFields(value) ? Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...at, key])) : [[at, value]];

const valueAt = (object: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (isFields(inner) ? inner[key] : undefined), object);

/** Where an object is not as it should be. */
export const differences = (wanted: KubeObject, now: KubeObject): string[] =>
  leavesOf(wanted)
    .filter(([path, value]) => valueAt(now, path) !== value)
    .map(([path]) => path.join('.'));

/** What nobody can change: who an object is, what the server refuses, and by what the entries of lists are known. */
const fixed =
  /^(apiVersion|kind|metadata\.name|spec\.selector\.matchLabels\..*|spec\.template\.metadata\..*|.*\.(containers|env|volumes|volumeMounts)\.0\.name|.*\.(containerPort|mountPath|port))$/;

/** The controllers of the cluster write the same objects meanwhile. */
const hurried = { conflict: 'again' } as const;

function spoilt(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : `x${String(value)}`;
}

async function spoilOne<T extends KubeObject>(client: Client, wanted: T, found: T): Promise<void> {
  const all = leavesOf(wanted).filter(([path]) => !fixed.test(path.join('.')));
  const stored = await client.edit(
    found as KubeObject,
    (draft) => {
      for (const [path, value] of all) {
        const holder = valueAt(draft, path.slice(0, -1)) as Fields;
        holder[path.at(-1) ?? ''] = spoilt(value);
      }
    },
    hurried,
  );
  // Each of them was changed: a field that the server put back would show nothing.
  expect(differences(wanted, stored)).toEqual(all.map(([path]) => path.join('.')));
}

/** Every field that can be changed has another value. */
export async function spoil(client: Client, { deployment, service }: Children): Promise<void> {
  await spoilOne(client, deployment, await client.get(Deployment, deployment.metadata.name));
  await spoilOne(client, service, await client.get(Service, service.metadata.name));
}

/** Everything that can be taken out is gone. */
export async function strip(client: Client, { deployment, service }: Children): Promise<void> {
  await client.edit(
    await client.get(Deployment, deployment.metadata.name),
    (draft) => {
      draft.metadata.labels = {};
      const pod = draft.spec?.template.spec;
      const [container] = pod?.containers ?? [];
      delete pod?.volumes;
      delete container?.env;
      delete container?.ports;
      delete container?.volumeMounts;
    },
    hurried,
  );
  await client.edit(
    await client.get(Service, service.metadata.name),
    (draft) => {
      draft.metadata.labels = {};
      delete draft.spec?.selector;
    },
    hurried,
  );
}
