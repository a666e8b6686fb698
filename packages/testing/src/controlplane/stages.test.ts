import { load, loadAll } from 'js-yaml';
import { expect, describe, test } from 'vitest';
import { stages, stagesText } from './stages.ts';

interface Stage {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly resourceRef: { readonly kind: string };
    readonly selector: { readonly matchExpressions: readonly object[] };
    readonly next: { readonly delete?: boolean; readonly patches?: readonly { readonly template: string }[] };
  };
}

const all = stages as readonly Stage[];
const templates = all.flatMap(({ metadata, spec }) =>
  (spec.next.patches ?? []).map(({ template }) => [metadata.name, template] as const),
);

describe('the stages of fake Nodes and Pods', () => {
  test('API-G10: node initialize, node heartbeat with lease, pod ready, complete, delete', () => {
    expect(all.map(({ metadata }) => metadata.name)).toEqual([
      'node-initialize',
      'node-heartbeat-with-lease',
      'pod-ready',
      'pod-complete',
      'pod-delete',
    ]);
    expect(all.at(-1)?.spec.next).toEqual({ delete: true });
  });

  test('are one YAML document each', () => {
    const documents: unknown[] = [];
    loadAll(stagesText(), (document: unknown) => void documents.push(document));
    expect(documents).toEqual(JSON.parse(JSON.stringify(stages)));
  });

  test.each(templates)('the template of %s opens and closes what it opens', (_, template) => {
    const opened = template.match(/\{\{ (range|with|if) /g)?.length ?? 0;
    expect(template.match(/\{\{ end \}\}/g)?.length ?? 0).toBe(opened);
    // Three in a row would be read as the start of an action with a brace in it.
    expect(template).not.toContain('{{{');
  });

  test.each(templates)('the template of %s is JSON once its actions are done', (_, template) => {
    // Of both branches of a choice the second stays; values become numbers.
    const done = template
      .replaceAll(
        /\{\{ (with|if eq)[^}]*\}\}(?:(?!\{\{ end \}\}).)*?\{\{ else \}\}((?:(?!\{\{ end \}\}).)*)\{\{ end \}\}/g,
        '$2',
      )
      .replaceAll(/\{\{ if \$index \}\},\{\{ end \}\}/g, '')
      .replaceAll(/\{\{ (range|with|if|end)[^}]*\}\}/g, '')
      .replaceAll(/\{\{[^}]*\}\}/g, '0');
    expect(() => load(done)).not.toThrow();
    expect(load(done)).toBeTypeOf('object');
  });
});
