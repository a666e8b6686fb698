import type { Case } from '../../src/case.ts';

export const executables: readonly Case[] = [];
