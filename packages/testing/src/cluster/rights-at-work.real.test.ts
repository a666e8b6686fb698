import { ConfigMap } from 'kilter/k8s/core/v1';
import { expect, test } from 'vitest';
import { realServer } from '../controlplane/available.test-support.ts';
import { Note, notesOperator } from './backends.test-support.ts';
import { cluster } from './index.ts';
import { testRightsAtWork } from './rights-at-work.test-support.ts';

// Who makes an object the owner of another, and keeps it from being deleted before it, must be allowed to hold it.
const enforcing = ['--enable-admission-plugins=OwnerReferencesPermissionEnforcement'];
const options = {
  backend: 'control-plane',
  controlPlane: { controllers: [], nodes: 0, apiServerFlags: enforcing },
} as const;

testRightsAtWork(
  `a control plane that enforces owner references (${realServer.reason})`,
  realServer.binaries === undefined ? undefined : options,
);

test.skipIf(realServer.binaries === undefined)(
  `OW-2: without update of the owner's finalizers a child is refused, and the message says what to grant (${realServer.reason})`,
  { timeout: 120_000 },
  async () => {
    const { cluster: rules } = notesOperator().permissions();
    const fewer = rules.filter(({ resources }) => resources?.includes('notes/finalizers') !== true);
    expect(fewer).toHaveLength(rules.length - 1);
    await using env = await cluster({ ...options, operator: notesOperator(), rbac: fewer });
    await env.client.create(Note.build({ name: 'a', spec: { text: 'x' } }));
    const waited = env.eventually(Note, 'a', { status: { copied: 'x' } }, { within: '3s' });
    await expect(waited).rejects.toThrow(/cannot set blockOwnerDeletion[^]*finalizers of the owner/);
    expect(await env.client.find(ConfigMap, 'a')).toBeUndefined();
  },
);
