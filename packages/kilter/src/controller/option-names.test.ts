// RC-23: no declaration of a controller takes an option it does not have.
import { expect, test } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import { controller } from './define.ts';

const named = (name: string): Parameters<typeof kind>[0] => ({
  group: 'example.com',
  version: 'v1',
  kind: name,
  plural: `${name.toLowerCase()}s`,
  scope: 'Namespaced',
});
const App = kind<KubeObject>(named('App'));
const Part = kind<KubeObject>(named('Part'));
const nothing = async (): Promise<void> => {};
const nobody = (): undefined => undefined;

type Declare = (options: never) => { reconcile(run: typeof nothing): unknown };
const app = controller(App);

const declarations: Readonly<Record<string, [misspelled: string, known: string, declare: Declare]>> = {
  owns: ['prun', 'labels, fields, namespaces, metadataOnly, when, settle, prune', (o) => app.owns(Part, o)],
  writes: ['verb', 'verbs, subresource, namespaces, names', (o) => app.writes(Part, o)],
  reads: ['namespce', 'labels, fields, namespaces, metadataOnly', (o) => app.reads(Part, o)],
  references: [
    'metadata',
    'labels, fields, namespaces, metadataOnly, when, settle',
    (o) => app.references(Part, nobody, o),
  ],
  watches: ['label', 'labels, fields, namespaces, metadataOnly, when, settle', (o) => app.watches(Part, nobody, o)],
};

test.each(Object.entries(declarations))('RC-23: .%s', (name, [misspelled, known, declare]) => {
  const reconcile = (options: unknown) => () => declare(options as never).reconcile(nothing);
  expect(reconcile({ [misspelled]: true })).toThrow(`${name}(Part) has no option '${misspelled}'; it has ${known}`);
  expect(reconcile('default')).toThrow(`${name}(Part) takes an object of options, not 'default'`);
  expect(reconcile(null)).toThrow(`${name}(Part) takes an object of options, not null`);
  const all = Object.fromEntries(known.split(', ').map((option) => [option, undefined]));
  expect(reconcile(all)).not.toThrow();
});
