import { apiServer } from '@kilter/apiserver';
import { inMemory, type Runtime } from 'kilter/runtime';
import { Conversions } from './conversions.ts';
import type { Ground } from './ground.ts';
import { HotLoopGuard } from './hot-loop-guard.ts';
import { InProcessServices } from './in-process-services.ts';

// Short enough not to slow a test down, long enough not to load the server.
// Test runners stop a test after 5 s by default, and then nobody learns why a wait would have been in vain.
const patience = { interval: 10, within: 10_000, tellAfter: 4000 };
const harness = 'harness';

/** The API server of this process. */
export function embeddedGround(runtime: Runtime, { guarded }: { readonly guarded: boolean }): Ground {
  const services = new InProcessServices();
  const conversions = new Conversions({ service: services.reference('kilter-testing') });
  services.open('kilter-testing', conversions.handler);
  const server = apiServer({
    runtime,
    authorization: guarded ? 'RBAC' : 'AlwaysAllow',
    services: (service) => services.resolve(service),
  });
  const guard = new HotLoopGuard(runtime.clock);
  return {
    backend: 'embedded',
    own: { server },
    operators: guard.over(server.connection('operator')),
    operatorsAs: (token) => guard.over(inMemory((request) => server.handle(request), { token })),
    harness: guard.over(server.connection(harness)),
    patience,
    webhooks: () => Promise.resolve(services),
    conversions,
    requests: () => server.requests.filter(({ user }) => user !== harness),
    problem: () => guard.found,
    close: () => server.close(),
  };
}
