import { isConflict, isInvalid, KilterError } from 'kilter';
import { expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { realServer } from '../src/controlplane/available.test-support.ts';
import { App, app, failure } from './client-app.test-support.ts';

const small = { controllers: [], nodes: 0 };

test.skipIf(realServer.binaries === undefined)(
  `CL-13, CL-15: an edit writes null and loses nothing (${realServer.reason})`,
  { timeout: 180_000 },
  async () => {
    await using env = await cluster({ backend: 'control-plane', kinds: [App], controlPlane: small });
    const { namespace } = env;
    const plain = app('a');
    const made = await env.client.create({ ...plain, metadata: { ...plain.metadata, namespace } });
    const nulled = await env.client.edit(made, (draft) => {
      draft.spec.weight = null;
      draft.spec.box = { lid: null };
      delete draft.spec.note;
    });
    expect(nulled.spec).toEqual({ image: 'nginx:1.27', replicas: 1, weight: null, box: { lid: null } });
    const stale = env.client.edit(made, (draft) => void (draft.spec.weight = null));
    expect(isConflict(await failure(stale))).toBe(true);
    // What it removes is no longer there: the patch fails before versions are compared.
    const gone = env.client.edit(made, ({ spec }) => {
      spec.weight = null;
      delete spec.note;
    });
    expect(isConflict(await failure(gone))).toBe(true);
    const refused = env.client.edit(nulled, ({ spec }) => void Object.assign(spec, { image: null }));
    expect(isInvalid(await failure(refused))).toBe(true);
    const lost = await failure(env.client.edit(nulled, (draft) => void (draft.status = { availableReplicas: 1 })));
    expect(lost instanceof KilterError && lost.code).toBe('CLIENT_EDIT_IGNORED');
  },
);
