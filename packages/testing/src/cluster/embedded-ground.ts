import type { Runtime } from 'kilter/runtime';
import { embeddedServer } from '../embedded-server.ts';
import type { Ground } from './ground.ts';

// Short enough not to slow a test down, long enough not to load the server.
const patience = { interval: 10, within: 10_000 };
const harness = 'harness';

/** The API server of this process. */
export function embeddedGround(runtime: Runtime): Ground {
  const server = embeddedServer({ runtime });
  return {
    backend: 'embedded',
    own: { server },
    operators: server.connection('operator'),
    harness: server.connection(harness),
    patience,
    requests: () => server.requests.filter(({ user }) => user !== harness),
    problem: () => server.hotLoop,
    close: () => server.close(),
  };
}
