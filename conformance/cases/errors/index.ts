import type { Case } from '../../src/case.ts';
import { requests } from './requests.ts';

export const errors: readonly Case[] = [...requests];
