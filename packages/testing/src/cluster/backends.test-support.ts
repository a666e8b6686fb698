// The places a cluster can stand on in tests of the harness, and an operator to run there.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controller, operator, type Operator } from 'kilter';
import { customResource } from 'kilter/crd';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { z } from 'zod';
import { apiServer, type ApiServer } from '@kilter/apiserver';

export class Note extends customResource({
  group: 'harness.example.com',
  version: 'v1',
  kind: 'Note',
  spec: z.object({ text: z.string().min(1) }),
  status: z.object({ copied: z.string().optional() }),
}) {}

const ignore = (): void => undefined;
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => silent };

/** Copies each Note into a ConfigMap; one that says `fail` makes it fail. */
export function notesOperator(options: { leaderElection?: boolean } = {}): Operator {
  const notes = controller(Note)
    .owns(ConfigMap)
    .cleanup('harness.example.com/cleanup', () => Promise.resolve())
    .reconcile(async (note, ctx) => {
      if (note.spec.text === 'fail') throw new Error('this note cannot be copied');
      await ctx.apply(ConfigMap.build({ name: note.metadata.name, data: { text: note.spec.text } }));
      await ctx.status({ copied: note.spec.text });
    });
  return operator({ name: 'notes', controllers: [notes], logger: silent, ...options });
}

export interface ServedCluster extends AsyncDisposable {
  readonly server: ApiServer;
  /** A file; its only context is `kilter`. */
  readonly kubeconfig: string;
}

/** The embedded server at its own address, as a cluster that was there before. */
export async function servedCluster(): Promise<ServedCluster> {
  const server = apiServer();
  const { kubeconfig: text } = await server.listen();
  const folder = mkdtempSync(join(tmpdir(), 'kilter-existing-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, text, { mode: 0o600 });
  return {
    server,
    kubeconfig,
    [Symbol.asyncDispose]: async () => {
      rmSync(folder, { recursive: true, force: true });
      await server.close();
    },
  };
}
