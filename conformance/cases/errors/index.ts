import type { Case } from '../../src/case.ts';
import { shuttingDown } from './shutting-down.ts';
import { badInput } from './bad-input.ts';
import { badRequests } from './bad-requests.ts';
import { conflicts } from './conflicts.ts';
import { failures } from './failures.ts';
import { invalidObjects } from './invalid.ts';
import { mutatedRequests } from './mutated-requests.ts';
import { oddRequests } from './odd-requests.ts';
import { requests } from './requests.ts';

export const errors: readonly Case[] = [
  ...requests,
  ...badInput,
  ...badRequests,
  ...conflicts,
  ...invalidObjects,
  ...failures,
  ...oddRequests,
  ...mutatedRequests,
  ...shuttingDown,
];
