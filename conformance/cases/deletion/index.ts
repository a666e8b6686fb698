import type { Case } from '../../src/case.ts';

export const deletion: readonly Case[] = [];
