// A control plane that records what it accepts, and the ground that WebApps stand on.
import type { Client } from 'kilter';
import { Namespace } from 'kilter/k8s/core/v1';
import { controlPlane, type ControlPlane, workloadControllers } from '@kilter/testing';
import { WebApp } from '../examples/webapp/src/webapp.ts';
import { type Audit, readAudit } from './audit.ts';
import { namespaces } from './churn.ts';
import { webappDefinition } from './definition.ts';
import { untilDone } from './faults.ts';

/** Tokens by the names of the users whose writes are recorded. */
export async function startPlane(
  folder: string,
  tokens: ReadonlyMap<string, string>,
  signal?: AbortSignal,
): Promise<{ plane: ControlPlane; audit: Audit }> {
  const audit = readAudit(folder, [...tokens.keys()]);
  const users = [...tokens].map(([name, token]) => [token, { name, groups: ['system:masters'] }]);
  try {
    const plane = await controlPlane({
      controllers: workloadControllers,
      nodes: 3,
      tokens: Object.fromEntries(users),
      apiServerFlags: audit.flags,
      signal,
    });
    return { plane, audit };
  } catch (error) {
    audit[Symbol.dispose]();
    throw error;
  }
}

export async function prepare(client: Client): Promise<void> {
  for (const name of namespaces) await client.create(Namespace.build({ name }));
  await client.create(webappDefinition());
  await untilDone(() => client.list(WebApp));
}
