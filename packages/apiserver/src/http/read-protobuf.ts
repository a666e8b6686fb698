import { apiVersionOf } from 'kilter/api';
import type { Verb } from '../calls/index.ts';
import { bodySummary } from '../decoding/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { decodeMessage, type Envelope, messageOf, openEnvelope, ProtobufProblem } from '../protobuf/index.ts';
import { badRequest, unsupportedMediaType } from '../status/index.ts';
import { protobufBodyText } from '../wire/index.ts';

export interface ProtobufBody {
  readonly bytes: Uint8Array;
  readonly verb: Verb;
  readonly resource: ResourceDefinition;
  readonly subresource: string | undefined;
}

/** The problem with bytes; anything else is a fault of the server itself. */
function problemOf(error: unknown): string {
  if (error instanceof ProtobufProblem) return error.message;
  throw error;
}

const deletes = (verb: Verb): boolean => verb === 'delete' || verb === 'deletecollection';

interface Expected {
  readonly apiVersion: string;
  readonly kind: string;
}

/** What a body is taken for that does not say what it is. */
function expectedOf({ verb, resource, subresource }: ProtobufBody): Expected {
  if (deletes(verb)) return { apiVersion: 'v1', kind: 'DeleteOptions' };
  if (subresource === 'scale') return { apiVersion: 'autoscaling/v1', kind: 'Scale' };
  return { apiVersion: apiVersionOf(resource), kind: resource.kind };
}

function opened(body: ProtobufBody): Envelope {
  const { bytes, verb, resource } = body;
  try {
    return openEnvelope(bytes);
  } catch (error) {
    const problem = problemOf(error);
    if (deletes(verb)) throw badRequest(problem);
    const unrecognized = `the object provided is unrecognized (must be of type ${resource.kind})`;
    throw badRequest(`${unrecognized}: ${problem} (${bodySummary(bytes)})`);
  }
}

/** The object in a body of protobuf; custom resources have no messages, though what is done to them may have. */
export function readProtobuf(body: ProtobufBody): unknown {
  const { verb, resource, subresource } = body;
  if (resource.custom && !deletes(verb) && subresource !== 'scale') throw unsupportedMediaType(protobufBodyText);
  const envelope = opened(body);
  const expected = expectedOf(body);
  const kind = envelope.kind || expected.kind;
  const apiVersion = envelope.apiVersion || expected.apiVersion;
  const message = messageOf(apiVersion, kind);
  // What is of no known kind is refused by whoever asks for a kind.
  if (message === undefined) return { apiVersion, kind };
  try {
    return { apiVersion, kind, ...decodeMessage(message, envelope.raw) };
  } catch (error) {
    const problem = problemOf(error);
    if (deletes(verb)) throw badRequest(problem);
    if (kind !== expected.kind || apiVersion !== expected.apiVersion) return { apiVersion, kind };
    const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
    throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`);
  }
}
