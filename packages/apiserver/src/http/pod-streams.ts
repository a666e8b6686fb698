// exec, attach and port-forward, by whoever stands in for the kubelet of a Pod.
import type { ByteChannel } from './byte-channel.ts';

/** A Pod somebody wants to talk to. */
export interface PodConnectionRequest {
  readonly namespace: string;
  readonly pod: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** What is attached to. */
export interface PodAttachRequest extends PodConnectionRequest {
  readonly container: string;
  /** Whether the client has a terminal: then both outputs are one. */
  readonly tty: boolean;
}

/** What is to be executed, and where. */
export interface PodExecRequest extends PodAttachRequest {
  readonly command: readonly string[];
}

/** The Pod that ports are forwarded to. */
export interface PodForwardRequest extends PodConnectionRequest {
  readonly port: number;
}

/** Of a terminal, in characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** What a program in a container has. What nobody asked for is empty, or goes nowhere. */
export interface PodStreams {
  /** Ends when the client closes it, or goes away. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** The terminal of the client, each time it gets another size. */
  readonly sizes: AsyncIterable<TerminalSize>;
  /** Resolves when the client takes more. */
  readonly stdout: (output: string | Uint8Array) => Promise<void>;
  readonly stderr: (output: string | Uint8Array) => Promise<void>;
}

/** Answers the exit code; nothing is 0, and what it throws is told to the client. */
export type PodProgram = (streams: PodStreams) => Promise<number | undefined | void>;

/** A connection to a port of a Pod. */
export interface PodPort {
  /** Ends when the client closes it, or goes away. */
  readonly received: AsyncIterable<Uint8Array>;
  readonly send: (output: string | Uint8Array) => Promise<void>;
}

/** Stand-ins for kubelets; undefined: the server says what one says that reaches no kubelet. */
export type PodExec = (request: PodExecRequest) => PodProgram | undefined;
/** Answers attach in place of a container. */
export type PodAttach = (request: PodAttachRequest) => PodProgram | undefined;
/** Answers port-forward in place of a Pod. */
export type PodForward = (request: PodForwardRequest) => ((port: PodPort) => Promise<void>) | undefined;

/** What answers for Pods, which do not run here. */
export interface PodHandlers {
  /**
   * Who runs what `exec` names in a container, in place of a kubelet. Default: nobody, so that the server says what one says that
   * reaches no kubelet. For tests of what runs commands in Pods, and of `kubectl exec` and `kubectl cp`.
   */
  readonly podExec?: PodExec | undefined;
  /** Who is there when a client attaches to the program of a container. Default: nobody, as `podExec`. For `kubectl attach`. */
  readonly podAttach?: PodAttach | undefined;
  /** Who listens on the ports of Pods. Default: nobody, as `podExec`. For `kubectl port-forward`. */
  readonly podForward?: PodForward | undefined;
}

export const bytesOf = (output: string | Uint8Array): Uint8Array =>
  typeof output === 'string' ? new TextEncoder().encode(output) : output;

/** Sizes as the client's resize channel brings them: one JSON document each. */
export async function* sizesIn(channel: ByteChannel): AsyncGenerator<TerminalSize> {
  for await (const bytes of channel) {
    const size = sizeIn(new TextDecoder().decode(bytes));
    if (size !== undefined) yield size;
  }
}

/** Undefined for what says no size: a terminal that cannot be read is not resized. */
function sizeIn(text: string): TerminalSize | undefined {
  const [width, height] = ['Width', 'Height'].map((name) =>
    Number(new RegExp(`"${name}"\\s*:\\s*(\\d+)`).exec(text)?.[1]),
  );
  if (width === undefined || height === undefined || Number.isNaN(width + height)) return undefined;
  return { width, height };
}

/** How a program ended, as the error channel tells it. */
export function programStatus(exitCode: number): object {
  if (exitCode === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${exitCode}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  };
}

export function failureStatus(error: unknown): object {
  const message = `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`;
  return { metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 };
}
