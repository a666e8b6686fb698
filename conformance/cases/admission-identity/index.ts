import type { Case } from '../../src/case.ts';
import { answers } from './answers.ts';
import { authorizerCases } from './authorizer.ts';
import { classCases } from './classes.ts';
import { customPatches } from './custom-patches.ts';
import { failures } from './failures.ts';
import { flows } from './flows.ts';
import { identity } from './identity.ts';
import { impersonation } from './impersonation.ts';
import { leasesAndEvents } from './leases-and-events.ts';
import { lies } from './lies.ts';
import { matching } from './matching.ts';
import { order } from './order.ts';
import { policies } from './policies.ts';
import { policyRules } from './policy-rules.ts';
import { quotaCases } from './quota.ts';
import { reviews } from './reviews.ts';
import { rolesAndBindings } from './roles.ts';
import { tokens } from './tokens.ts';
import { typeChecking } from './type-checking.ts';
import { unusual } from './unusual.ts';

export const admissionIdentity: readonly Case[] = [
  ...order,
  ...reviews,
  ...failures,
  ...answers,
  ...customPatches,
  ...lies,
  ...matching,
  ...policies,
  ...policyRules,
  ...authorizerCases,
  ...typeChecking,
  ...quotaCases,
  ...classCases,
  ...flows,
  ...identity,
  ...rolesAndBindings,
  ...impersonation,
  ...tokens,
  ...leasesAndEvents,
  ...unusual,
];
