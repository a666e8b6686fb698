import type { Case } from '../../src/case.ts';

export const workloadsLimits: readonly Case[] = [];
