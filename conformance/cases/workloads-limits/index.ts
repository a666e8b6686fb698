import type { Case } from '../../src/case.ts';
import { workloads } from './deployments.ts';
import { limits } from './limits.ts';

export const workloadsLimits: readonly Case[] = [...workloads, ...limits];
