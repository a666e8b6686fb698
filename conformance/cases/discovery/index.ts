import type { Case } from '../../src/case.ts';
import { discoveryDocuments } from './documents.ts';
import { kubectl } from './kubectl.ts';
import { openapi } from './openapi.ts';

export const discovery: readonly Case[] = [...discoveryDocuments, ...openapi, ...kubectl];
