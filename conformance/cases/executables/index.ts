import type { Case } from '../../src/case.ts';
import { help } from './help.ts';
import { started } from './started.ts';

export const executables: readonly Case[] = [...help, ...started];
