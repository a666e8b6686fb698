// Time, order and equality: the ground every other room stands on. No Kubernetes word in here.
export { aborted, orAbort, type Signal } from './abort.ts';
export { type Backoff, backoffDelay } from './backoff.ts';
export { calendarTime } from './calendar.ts';
export {
  afterTurn,
  betweenSteps,
  type Clock,
  type LoopDelay,
  nextTurn,
  quiescence,
  type Runtime,
  systemClock,
  systemRuntime,
  type Timer,
  watchLoopDelay,
} from './clock.ts';
export { cloneJson } from './clone-json.ts';
export { jsonText } from './json-text.ts';
export { deepestJson, type JsonPlace, pathOfPlace, walkJson } from './json-places.ts';
export { Deadlines, type Due } from './deadlines.ts';
export { type Duration, parseDuration, toMilliseconds } from './duration.ts';
export { deepEqual } from './equality.ts';
export { processReadings, type ProcessReadings } from './process-readings.ts';
export { Heap } from './heap.ts';
export { crypto, dns, http, http2, https, inspector, tls, util, workerThreads, x509, zlib } from './node-modules.ts';
export { isPromise } from './promise.ts';
export { remembered } from './remembered.ts';
export { seededRandom, virtualClock, type VirtualClock, virtualRuntime } from './virtual-clock.ts';
