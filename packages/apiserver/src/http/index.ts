// Requests and responses: routing, negotiation, faults, in memory or on a socket.
export type { PodLogRequest, PodLogs } from './pod-logs.ts';
export type {
  PodAttach,
  PodAttachRequest,
  PodConnectionRequest,
  PodExec,
  PodExecRequest,
  PodForward,
  PodForwardRequest,
  PodHandlers,
  PodPort,
  PodProgram,
  PodStreams,
  TerminalSize,
} from './pod-streams.ts';
export { type Fault, type FaultRule, Faults, type FaultStatus } from './faults.ts';
export { type HandlerOptions, requestHandler } from './handler.ts';
export { listen, type Listener, type ListenOptions, type Protocol } from './listen.ts';
export { ConnectionLost, jsonResponse, type ServerRequest, type ServerResponse } from './message.ts';
export { metricsText, RequestCounts } from './metrics.ts';
export { type RecordedRequest, RequestJournal } from './request-journal.ts';
