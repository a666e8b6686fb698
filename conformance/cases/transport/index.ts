import type { Case } from '../../src/case.ts';
import { acceptance } from './accept.ts';
import { bodies } from './bodies.ts';
import { connection } from './connection.ts';
import { numbers } from './numbers.ts';
import { paths } from './paths.ts';
import { inProtobuf } from './protobuf.ts';

export const transport: readonly Case[] = [
  ...connection,
  ...bodies,
  ...acceptance,
  ...inProtobuf,
  ...numbers,
  ...paths,
];
