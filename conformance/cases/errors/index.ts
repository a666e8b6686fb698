import type { Case } from '../../src/case.ts';

export const errors: readonly Case[] = [];
