import type { Case } from '../../src/case.ts';
import { disruptionBudgets } from './budgets.ts';
import { workloads } from './deployments.ts';
import { limits } from './limits.ts';

export const workloadsLimits: readonly Case[] = [...workloads, ...disruptionBudgets, ...limits];
