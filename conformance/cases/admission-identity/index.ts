import type { Case } from '../../src/case.ts';
import { failures } from './failures.ts';
import { identity } from './identity.ts';
import { leasesAndEvents } from './leases-and-events.ts';
import { matching } from './matching.ts';
import { order } from './order.ts';
import { reviews } from './reviews.ts';
import { rolesAndBindings } from './roles.ts';

export const admissionIdentity: readonly Case[] = [
  ...order,
  ...reviews,
  ...failures,
  ...matching,
  ...identity,
  ...rolesAndBindings,
  ...leasesAndEvents,
];
