import { inWords } from '../errors/index.ts';
import { type Clock, tls } from '../internal/index.ts';

// What a probe of kubelet waits for at most, by far.
const patience = 10_000;

export interface OwnServer {
  /** Where it is bound. Default: everywhere. */
  readonly host: string | undefined;
  readonly port: number;
  readonly clock: Pick<Clock, 'timer'>;
}

/** Why a TLS handshake with the server of this process fails; undefined where it does not. Who signed is for others to judge. */
export function dialOwn({ host, port, clock }: OwnServer): Promise<string | undefined> {
  return new Promise((resolve) => {
    const target = host === undefined || host === '0.0.0.0' || host === '::' ? 'localhost' : host;
    const socket = tls().connect({ host: target, port, rejectUnauthorized: false });
    const end = (problem: string | undefined): void => {
      late.cancel();
      socket.destroy();
      resolve(problem);
    };
    const late = clock.timer(patience, () => end(`webhooks do not answer on port ${port}`));
    socket.once('secureConnect', () => end(undefined));
    socket.once('error', (error) => end(`webhooks are not served on port ${port}: ${inWords(error)}`));
  });
}
