import { formatTime, type Kind, kindLabel } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { inBrief } from '../telemetry/index.ts';
import { coversNamespace, describeDeclaration, type ResolvedDeclaration } from './declaration.ts';
import type { InformerCore } from './informer-core.ts';
import type { Outstanding } from './write-ledger.ts';

const seconds = (ms: number): string => `${ms / 1000} s`;

/** The informer's last error in words, because it is mostly the answer to why nothing arrives. */
function lastErrorOf({ lastError }: InformerCore): { words: string; cause: unknown } {
  if (lastError === undefined) return { words: 'the informer reported no error', cause: undefined };
  const { error, at } = lastError;
  const message = inBrief(error).error;
  return { words: `last error of the informer, at ${formatTime(at)}: ${message}`, cause: error };
}

export function syncTimeout(informers: readonly InformerCore[], ms: number): KilterError {
  const late = informers.filter(({ synced }) => !synced);
  const told = late.map((informer) => `${describeDeclaration(informer.declaration)} (${lastErrorOf(informer).words})`);
  const [first] = late;
  const cause = first === undefined ? undefined : lastErrorOf(first).cause;
  return new KilterError('CACHE_SYNC_TIMEOUT', `not synced within ${seconds(ms)}: ${told.join('; ')}`, { cause });
}

export function waitExpired({ write, informer }: Outstanding, ms: number): KilterError {
  const { words, cause } = lastErrorOf(informer);
  const what = write.deletion
    ? `the operator's own deletion of ${informer.declaration.label} ${write.key} (UID ${write.uid})`
    : `the operator's own write of ${informer.declaration.label} ${write.key} with version ${write.resourceVersion}`;
  const cure = cause === undefined ? late : undefined;
  return new KilterError('CACHE_WAIT_EXPIRED', `${what} did not arrive within ${seconds(ms)}; ${words}`, {
    cause,
    cure,
  });
}

// No error is named that anybody could look at.
const late =
  'the watch lags behind: look at the load of the API server, raise `cache.waitTimeout`, or read through `live`';

export function answerExpired(kind: Kind, key: string, ms: number): KilterError {
  const what = `a write for ${kindLabel(kind.names)} ${key}`;
  return new KilterError('CACHE_WAIT_EXPIRED', `${what} was not answered within ${seconds(ms)}`);
}

const others = 'read through `live`, or widen the declaration';

/** What a reader can do whose kind is watched, only not all of it; without a word for it, the cure of the code. */
function cureOf(namespace: string | undefined, declared: readonly ResolvedDeclaration[]): string | undefined {
  if (declared.length === 0) return undefined;
  const near = declared.filter((declaration) => coversNamespace(declaration, namespace));
  if (near.length > 0) return `read the cached metadata with { metadataOnly: true }, ${others}`;
  return `name a namespace that is watched, ${others}`;
}

export function undeclared(
  kind: Kind,
  namespace: string | undefined,
  declared: readonly ResolvedDeclaration[],
): KilterError {
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  const watched = declared.map((declaration) => describeDeclaration(declaration)).join('; ');
  const instead = watched === '' ? 'it is not watched at all' : `only ${watched} is watched`;
  const message = `${kindLabel(kind.names)}${where} is not in the cache: ${instead}`;
  return new KilterError('CACHE_KIND_UNDECLARED', message, { cure: cureOf(namespace, declared) });
}

export function notSynced(informers: readonly InformerCore[]): KilterError {
  const late = informers.filter(({ filled }) => !filled);
  const told = late.map((informer) => `${describeDeclaration(informer.declaration)} (${lastErrorOf(informer).words})`);
  return new KilterError('CACHE_NOT_SYNCED', `not synced yet: ${told.join('; ')}`);
}
