import type { Case } from '../../src/case.ts';
import { deleteOptions } from './delete-options.ts';
import { finalizers } from './finalizers.ts';
import { podDeletion } from './pods.ts';

export const deletion: readonly Case[] = [...deleteOptions, ...finalizers, ...podDeletion];
