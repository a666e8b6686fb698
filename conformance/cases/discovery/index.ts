import type { Case } from '../../src/case.ts';

export const discovery: readonly Case[] = [];
