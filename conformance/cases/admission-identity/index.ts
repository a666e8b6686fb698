import type { Case } from '../../src/case.ts';

export const admissionIdentity: readonly Case[] = [];
