import type { Case } from '../../src/case.ts';

export const subresourcesCrds: readonly Case[] = [];
