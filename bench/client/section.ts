import type { Limit } from '../harness/limits.ts';

/** One measurement: what is published of it, and what it promises. */
export interface Section {
  readonly title: string;
  /** How it was measured, in a sentence or two. */
  readonly how: string;
  readonly rows: readonly (readonly string[])[];
  readonly limits: readonly Limit[];
}

export const probe = (name: string): URL => new URL(`probes/${name}.mjs`, import.meta.url);

/** The clients of the tables, in their order. */
export const clients = {
  kilter: 'kilter',
  'client-node': '@kubernetes/client-node',
  'client-node-keep-alive': '@kubernetes/client-node, one dispatcher for all calls (keep-alive)',
} as const;

export type ClientName = keyof typeof clients;
export const clientNames: readonly ClientName[] = ['kilter', 'client-node', 'client-node-keep-alive'];
