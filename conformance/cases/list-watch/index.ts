import type { Case } from '../../src/case.ts';
import { bookmarks } from './bookmarks.ts';
import { fieldSelectors } from './field-selectors.ts';
import { lists } from './lists.ts';
import { pages } from './pages.ts';
import { partialMetadata } from './partial-metadata.ts';
import { selectableFields } from './selectable-fields.ts';
import { selectors } from './selectors.ts';
import { tableKinds } from './table-kinds.ts';
import { tables } from './tables.ts';
import { versions } from './versions.ts';
import { watchSelectors } from './watch-selectors.ts';
import { watches } from './watches.ts';

export const listWatch: readonly Case[] = [
  ...lists,
  ...selectors,
  ...fieldSelectors,
  ...selectableFields,
  ...pages,
  ...versions,
  ...tables,
  ...tableKinds,
  ...partialMetadata,
  ...watches,
  ...watchSelectors,
  ...bookmarks,
];
