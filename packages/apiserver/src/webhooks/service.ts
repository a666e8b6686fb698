// The way from a Service that a configuration names to whoever answers for it.

/** A Service as a webhook configuration or a definition refers to it. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  /** Default: 443. */
  readonly port: number;
}

/** One call of a webhook inside this process. */
export interface ServiceRequest {
  /** What follows the host: `/validate?timeout=10s`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** An AdmissionReview or a ConversionReview, as JSON. */
  readonly body: Uint8Array;
  /** Aborted when nobody waits for the answer any longer: the webhook has timed out, or the client has gone. */
  readonly signal: AbortSignal;
}

/** What a webhook behind a Service answers. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: Uint8Array;
}

/** A webhook as a function, without sockets or certificates. If it rejects, it has not answered. */
export type ServiceHandler = (request: ServiceRequest) => Promise<ServiceResponse>;

/**
 * Where a Service is: a handler in this process, or the `host:port` that serves it, by HTTPS, with a certificate for
 * `<name>.<namespace>.svc` from the authority in the caBundle. Undefined: nothing answers.
 */
export type ServiceResolver = (service: ServiceReference) => ServiceHandler | { readonly address: string } | undefined;
