// exec, attach and port-forward, by whoever stands in for the kubelet of a Pod.
import type { ByteChannel } from './byte-channel.ts';

/** A request to connect to a Pod. */
export interface PodConnectionRequest {
  readonly namespace: string;
  readonly pod: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** A request to attach to a container. */
export interface PodAttachRequest extends PodConnectionRequest {
  readonly container: string;
  /** Whether the client has a terminal: then stdout and stderr are combined. */
  readonly tty: boolean;
}

/** A request to execute a command in a container. */
export interface PodExecRequest extends PodAttachRequest {
  readonly command: readonly string[];
}

/** A request to forward ports to a Pod. */
export interface PodForwardRequest extends PodConnectionRequest {
  readonly port: number;
}

/** The size of a terminal, in characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** The streams of a program in a container. Streams that were not requested are empty or discarded. */
export interface PodStreams {
  /** Ends when the client closes it, or goes away. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** The size of the client's terminal, each time it changes. */
  readonly sizes: AsyncIterable<TerminalSize>;
  /** Resolves when the client can receive more. */
  readonly stdout: (output: string | Uint8Array) => Promise<void>;
  readonly stderr: (output: string | Uint8Array) => Promise<void>;
}

/** Returns the exit code; nothing means 0, and a thrown error is reported to the client. */
export type PodProgram = (streams: PodStreams) => Promise<number | undefined | void>;

/** A connection to a port of a Pod. */
export interface PodPort {
  /** Ends when the client closes it, or goes away. */
  readonly received: AsyncIterable<Uint8Array>;
  readonly send: (output: string | Uint8Array) => Promise<void>;
}

/** Answers exec instead of a kubelet; undefined: answer like a server that reaches no kubelet. */
export type PodExec = (request: PodExecRequest) => PodProgram | undefined;
/** Answers attach instead of a container. */
export type PodAttach = (request: PodAttachRequest) => PodProgram | undefined;
/** Answers port-forward instead of a Pod. */
export type PodForward = (request: PodForwardRequest) => ((port: PodPort) => Promise<void>) | undefined;

/** Handlers that answer for Pods, which do not really run here. */
export interface PodHandlers {
  /**
   * Runs the commands of `exec`, instead of a kubelet. Default: none, so that the server answers like one that reaches
   * no kubelet. For tests of code that runs commands in Pods, and of `kubectl exec` and `kubectl cp`.
   */
  readonly podExec?: PodExec | undefined;
  /** Answers a client that attaches to a container. Default: none, like `podExec`. For `kubectl attach`. */
  readonly podAttach?: PodAttach | undefined;
  /** Listens on the ports of Pods. Default: none, like `podExec`. For `kubectl port-forward`. */
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
