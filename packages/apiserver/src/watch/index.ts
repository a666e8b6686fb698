// Watches: history, fan-out, bookmarks, selectors, ends.
export { type ObjectSignal, signalOf, type Viewer } from './classify.ts';
export { type Expired, WatchHub, type WatchHubOptions } from './hub.ts';
export type { Signal, WatchClock, WatchRequest } from './watcher.ts';
