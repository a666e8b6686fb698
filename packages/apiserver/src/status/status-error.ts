import type { JsonObject } from 'kilter/api';

/** A cause of a failure, as a Status lists it. */
export interface StatusCause {
  readonly reason?: string;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string | undefined;
  readonly group?: string | undefined;
  /** The plural of the resource, except where the server speaks of an object as such: then the kind. */
  readonly kind?: string | undefined;
  readonly uid?: string | undefined;
  readonly causes?: readonly StatusCause[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

export interface StatusFields {
  readonly code: number;
  /** Left out by a few failures the server never named. */
  readonly reason?: string | undefined;
  readonly message: string;
  readonly details?: StatusDetails | undefined;
  /** Of the list a page belongs to: how to go on after an expired token. */
  readonly metadata?: JsonObject | undefined;
}

/** Empty strings are left out, as the server's encoder does. */
export function detailsOf({ name, group, kind, uid, causes, retryAfterSeconds }: StatusDetails): JsonObject {
  return {
    ...(name && { name }),
    ...(group && { group }),
    ...(kind && { kind }),
    ...(uid && { uid }),
    ...(causes !== undefined && causes.length > 0 && { causes: causes.map((cause) => ({ ...cause })) }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

/** A refusal, as the metav1 Status the client gets. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly code: number;
  readonly reason: string | undefined;
  readonly details: StatusDetails | undefined;
  readonly status: JsonObject;
  /** Warnings that go out with the refusal. */
  warnings: readonly string[] = [];

  constructor({ code, reason, message, details, metadata }: StatusFields) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: metadata ?? {},
      status: 'Failure',
      message,
      ...(reason !== undefined && { reason }),
      ...(details !== undefined && { details: detailsOf(details) }),
      code,
    };
  }
}
