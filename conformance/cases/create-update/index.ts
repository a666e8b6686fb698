import type { Case } from '../../src/case.ts';
import { create } from './create.ts';

export const createUpdate: readonly Case[] = [...create];
