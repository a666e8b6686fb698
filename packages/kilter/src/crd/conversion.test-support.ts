import { z } from 'zod';
import type { Json, JsonObject, KubeObject } from '../api/index.ts';
import type { Convertible } from './conversion-review.ts';
import { added, renamed } from './field-action.ts';
import { listMap, matchedBy } from './metadata.ts';
import { customResource } from './resource.ts';

export const base: { readonly group: 'example.com'; readonly version: 'v1'; readonly kind: 'Shop' } = {
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
};

export interface Loose extends KubeObject {
  spec?: Json;
  status?: Json;
}

/** An object with this spec; with this text where conversions keep their data, if any. */
export function object(version: string, spec?: unknown, data?: string): Loose {
  return {
    apiVersion: `example.com/${version}`,
    kind: 'Shop',
    metadata: { name: 'x', namespace: 'a' },
    ...(spec !== undefined && { spec: spec as Json }),
    ...(data !== undefined && { status: { conversionData: data } }),
  };
}

export function dataOf(converted: KubeObject): Json | undefined {
  return ((converted as Loose).status as JsonObject | undefined)?.['conversionData'];
}

export function specOf(converted: KubeObject): Json | undefined {
  return (converted as Loose).spec;
}

/** Three generations, by field actions alone. */
export const acted: Convertible = customResource({
  ...base,
  spec: z.object({
    image: z.string(),
    replicas: z.int().default(1).meta(renamed('v1', 'count')),
    tier: z.enum(['web', 'batch']).meta(added('v1', { fill: 'web' })),
    hint: z
      .string()
      .optional()
      .meta(added('v1', { fill: 'none' })),
    ports: z
      .array(
        z.object({ name: z.string().meta(renamed('v1beta1', 'id')), tls: z.boolean().optional().meta(added('v1')) }),
      )
      .meta(listMap('name'))
      .optional(),
    hosts: z
      .array(z.object({ host: z.string(), path: z.string().optional().meta(added('v1')) }))
      .meta(matchedBy('host'))
      .optional(),
    zones: z.record(z.string(), z.object({ weight: z.int().meta(renamed('v1', 'w')) })).optional(),
  }),
  status: z.object({ ready: z.boolean().optional() }),
  versions: { v1alpha1: {}, v1beta1: {} },
});
