// Every case of the suite, by section of the contract.
import type { Case } from '../src/case.ts';
import { admissionIdentity } from './admission-identity/index.ts';
import { createUpdate } from './create-update/index.ts';
import { deletion } from './deletion/index.ts';
import { discovery } from './discovery/index.ts';
import { errors } from './errors/index.ts';
import { executables } from './executables/index.ts';
import { listWatch } from './list-watch/index.ts';
import { patchApply } from './patch-apply/index.ts';
import { subresourcesCrds } from './subresources-crds/index.ts';
import { transport } from './transport/index.ts';
import { workloadsLimits } from './workloads-limits/index.ts';

export const cases: readonly Case[] = [
  ...transport,
  ...discovery,
  ...createUpdate,
  ...errors,
  ...listWatch,
  ...deletion,
  ...patchApply,
  ...subresourcesCrds,
  ...admissionIdentity,
  ...workloadsLimits,
  ...executables,
];
