import type { Case } from '../../src/case.ts';
import { deleteAnswers } from './answers.ts';
import { atStart } from './at-start.ts';
import { definitionDeletion } from './definitions.ts';
import { deleteCollection } from './delete-collection.ts';
import { deleteOptions } from './delete-options.ts';
import { finalizers } from './finalizers.ts';
import { namespaceDeletion } from './namespaces.ts';
import { podDeletion } from './pods.ts';
import { garbage } from './garbage.ts';
import { propagation } from './propagation.ts';

export const deletion: readonly Case[] = [
  ...deleteOptions,
  ...deleteAnswers,
  ...finalizers,
  ...podDeletion,
  ...propagation,
  ...deleteCollection,
  ...definitionDeletion,
  ...garbage,
  ...namespaceDeletion,
  ...atStart,
];
