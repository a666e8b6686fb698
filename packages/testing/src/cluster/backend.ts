import { KilterError } from 'kilter';

/** What a cluster runs on. */
export type Backend = 'embedded' | 'control-plane' | 'existing';

const backends: readonly string[] = ['embedded', 'control-plane', 'existing'] satisfies Backend[];

/** The variable that chooses for tests which leave it open. */
export const backendVariable = 'KILTER_BACKEND';

export interface BackendChoice {
  /** What the test says. */
  readonly code: string | undefined;
  /** What the environment says. */
  readonly environment: string | undefined;
}

function isBackend(name: string): name is Backend {
  return backends.includes(name);
}

/** The test, else the environment, else the embedded server. */
export function chooseBackend({ code, environment }: BackendChoice): Backend {
  const chosen = code ?? environment ?? 'embedded';
  if (isBackend(chosen)) return chosen;
  const place = code === undefined ? `$${backendVariable}` : '`backend`';
  throw new KilterError('TESTING_BACKEND_UNKNOWN', `${place} is ${JSON.stringify(chosen)}, which is not a backend`, {
    cure: `choose one of ${backends.join(', ')}`,
  });
}
