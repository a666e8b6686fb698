import type { Case } from '../../src/case.ts';

export const patchApply: readonly Case[] = [];
