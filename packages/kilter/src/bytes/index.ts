// JSON as bytes: a strict scanner, compact records that decode quickly, and slabs to keep them in. No Kubernetes word.
export { RecordDecoder } from './record-decoder.ts';
export { type Note, RecordEncoder } from './record-encoder.ts';
export { deepest, NotJson, Scanner } from './scanner.ts';
export { type Role, type Roles, Shapes } from './shapes.ts';
export { type Resident, Slab, Slabs } from './slab.ts';
export { StringPool } from './string-pool.ts';
