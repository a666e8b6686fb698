import type { ApiRequest, Transport } from '../transport/index.ts';

/** As the transport, but every request ends with the signal too: work that is called off leaves none behind. */
export function transportUntil(wire: Transport, signal: AbortSignal): Transport {
  const bound = (request: ApiRequest): ApiRequest => ({
    ...request,
    signal: request.signal === undefined ? signal : AbortSignal.any([request.signal, signal]),
  });
  return {
    send: (request) => wire.send(bound(request)),
    sendForBytes: (request) => wire.sendForBytes(bound(request)),
    stream: (request) => wire.stream(bound(request)),
    batches: (request) => wire.batches(bound(request)),
    chunks: (request) => wire.chunks(bound(request)),
    namespace: wire.namespace,
    host: wire.host,
  };
}
