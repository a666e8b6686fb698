import { groupVersionOf, type KindName, knownKind } from '../api/index.ts';
import { isNotFound, KilterError } from '../errors/index.ts';
import { orAbort } from '../internal/index.ts';
import type { Transport } from '../transport/index.ts';
import { decodeFields } from './decode.ts';

export interface TypedObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Finds plural and scope of an object's kind: among the kinds this program knows, else by asking the server. */
export type KindLookup = (object: TypedObject, signal: AbortSignal | undefined) => Promise<KindName>;

interface Discovered {
  readonly name?: unknown;
  readonly kind?: unknown;
  readonly namespaced?: unknown;
}

async function discover(transport: Transport, apiVersion: string): Promise<KindName[]> {
  const { group, version } = groupVersionOf(apiVersion);
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const request = { method: 'GET', path } as const;
  const { resources } = decodeFields(await transport.send(request), request);
  const found = (Array.isArray(resources) ? resources : []) as Discovered[];
  // Subresources stand beside their resource, as `pods/status`.
  return found.flatMap(({ name, kind, namespaced }) =>
    typeof name !== 'string' || typeof kind !== 'string' || name.includes('/')
      ? []
      : [{ group, version, kind, plural: name, scope: namespaced === true ? 'Namespaced' : 'Cluster' }],
  );
}

function unknownKind({ apiVersion, kind }: TypedObject, cause?: unknown): KilterError {
  return new KilterError('CLIENT_KIND_UNKNOWN', `the server has no kind ${kind} in ${apiVersion}`, { cause });
}

/** Only what could be in a path is asked for: an apiVersion is the user's text. */
const wellFormed = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?v[a-z0-9]+$/;

export function kindLookup(transport: Transport): KindLookup {
  /** Answers and questions under way by apiVersion; failures are not kept. As many as the server has group versions. */
  const asked = new Map<string, Promise<KindName[]>>();
  const ask = (apiVersion: string): Promise<KindName[]> => {
    const question = discover(transport, apiVersion);
    asked.set(apiVersion, question);
    question.catch(() => asked.delete(apiVersion));
    return question;
  };
  const search = async (object: TypedObject): Promise<KindName> => {
    const { apiVersion, kind } = object;
    const matches = (names: KindName): boolean => names.kind === kind;
    const earlier = asked.get(apiVersion);
    const kept = (await earlier)?.find(matches);
    // A kind may have been installed since.
    const found = kept ?? (await ask(apiVersion)).find(matches);
    if (found === undefined) throw unknownKind(object);
    return found;
  };
  return async (object, signal) => {
    const { apiVersion, kind } = object;
    const known = knownKind(object);
    if (known !== undefined) return known;
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !wellFormed.test(apiVersion)) {
      throw new KilterError(
        'CLIENT_KIND_UNKNOWN',
        `no kind has apiVersion ${String(apiVersion)}, kind ${String(kind)}`,
      );
    }
    try {
      // The question is shared: one who leaves does not end it for the others.
      return await orAbort(search(object), signal);
    } catch (error) {
      throw isNotFound(error) ? unknownKind(object, error) : error;
    }
  };
}
