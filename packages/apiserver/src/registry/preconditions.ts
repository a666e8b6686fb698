import type { JsonObject } from 'kilter/api';
import type { Served } from '../kinds/index.ts';
import { conflict, invalid, invalidValue, modified, type StatusError, unnamed } from '../status/index.ts';
import { metadataOf, textIn } from '../values/index.ts';
import { etcdKey } from './core.ts';
import type { Update } from './write.ts';

interface Compared {
  readonly served: Served;
  /** The stored object. */
  readonly old: JsonObject;
  /** What was sent. */
  readonly object: JsonObject;
}

/** Refuses a write that was made for another version of the object. */
export function checkVersion({ served, old, object }: Compared): void {
  const { definition } = served;
  const { group, plural } = definition;
  const sent = textIn(metadataOf(object), 'resourceVersion');
  const current = textIn(metadataOf(old), 'resourceVersion');
  const name = textIn(metadataOf(old), 'name');
  if (sent === current) return;
  if (sent !== '' && !/^\d+$/.test(sent))
    throw unnamed(`strconv.ParseUint: parsing ${JSON.stringify(sent)}: invalid syntax`);
  if (sent !== '' && sent !== '0') throw modified(definition, name);
  if (definition.strategy.unconditionalUpdate) return;
  const issue = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
  throw invalid({ group, kind: plural }, name, [issue]);
}

/** Once those who change objects were asked: they are asked about what is too late as well. */
export function compareVersions({ served, old, sent, byClient }: Update): void {
  if (byClient) checkVersion({ served, old, object: { metadata: sent } });
}

/** A PUT that names a uid means that very object. */
export function checkUid({ served, old, object }: Compared): void {
  const sent = textIn(metadataOf(object), 'uid');
  const uid = textIn(metadataOf(old), 'uid');
  if (sent === '' || sent === uid) return;
  throw storageConflict(served, old, `UID in precondition: ${sent}, UID in object meta: ${uid}`);
}

/** A precondition that only the storage looks at. */
export function storageConflict(served: Served, old: JsonObject, why: string): StatusError {
  const metadata = metadataOf(old);
  const name = textIn(metadata, 'name');
  const key = etcdKey(served, textIn(metadata, 'namespace'), name);
  return conflict(
    served.definition,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${why}`,
  );
}
