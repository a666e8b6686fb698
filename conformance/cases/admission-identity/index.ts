import type { Case } from '../../src/case.ts';
import { answers } from './answers.ts';
import { failures } from './failures.ts';
import { identity } from './identity.ts';
import { leasesAndEvents } from './leases-and-events.ts';
import { matching } from './matching.ts';
import { order } from './order.ts';
import { policies } from './policies.ts';
import { reviews } from './reviews.ts';
import { rolesAndBindings } from './roles.ts';

export const admissionIdentity: readonly Case[] = [
  ...order,
  ...reviews,
  ...failures,
  ...answers,
  ...matching,
  ...policies,
  ...identity,
  ...rolesAndBindings,
  ...leasesAndEvents,
];
