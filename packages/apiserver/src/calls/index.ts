// One request after routing: its verb and options, selectors and page tokens.
export type { Answer, Call, ConnectionRequest, Registry, ServerClock, StoredChange, Verb, WatchEvent } from './call.ts';
export { decodeToken, encodeToken, startAfter } from './continue-token.ts';
export { type DeleteOptions, deleteOptions, type Propagation } from './delete-options.ts';
export { callAs, type InternalCall } from './internal-call.ts';
export { type ListOptions, listOptions, parseVersion } from './list-options.ts';
export { type Matcher, matcherOf } from './selectors.ts';
export { type WriteOptions, writeOptions } from './write-options.ts';
