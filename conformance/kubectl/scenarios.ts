import { changing } from './changing.ts';
import { creating } from './creating.ts';
import type { Scenario } from './scenario.ts';
import { working } from './working.ts';

export const scenarios: readonly Scenario[] = [...creating, ...changing, ...working];
