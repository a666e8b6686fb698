import type { Case } from '../../src/case.ts';
import { failures } from './failures.ts';
import { matching } from './matching.ts';
import { order } from './order.ts';
import { reviews } from './reviews.ts';

export const admissionIdentity: readonly Case[] = [...order, ...reviews, ...failures, ...matching];
