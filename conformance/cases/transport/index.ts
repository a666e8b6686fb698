import type { Case } from '../../src/case.ts';

export const transport: readonly Case[] = [];
