// Tables and metadata alone: other forms of the same objects. Pure.
export type { DeclaredColumn, ReadPath } from './custom-columns.ts';
export { humanDuration } from './human-duration.ts';
export { partialListOf, partialOf } from './partial.ts';
export { type IncludeObject, type Printable, tableOf, type TableOptions } from './table.ts';
