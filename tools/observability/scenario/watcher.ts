// What a Prometheus says, over its HTTP API.
import { systemRuntime } from 'kilter/runtime';

interface Answer<T> {
  readonly status: string;
  readonly data: T;
  readonly error?: string;
}

export class Watcher {
  readonly #at: string;
  /** Alerts that were seen firing. */
  readonly fired = new Set<string>();

  constructor(at: string) {
    this.#at = at;
  }

  async #ask<T>(path: string): Promise<T> {
    const answer = (await (await fetch(`${this.#at}${path}`)).json()) as Answer<T>;
    if (answer.status !== 'success') throw new Error(`${path}: ${answer.error}`);
    return answer.data;
  }

  /** How many series an expression has now. */
  async series(expr: string): Promise<number> {
    return (await this.#ask<{ result: unknown[] }>(`/api/v1/query?query=${encodeURIComponent(expr)}`)).result.length;
  }

  async targetsUp(): Promise<number> {
    const { activeTargets } = await this.#ask<{ activeTargets: { health: string }[] }>('/api/v1/targets');
    return activeTargets.filter(({ health }) => health === 'up').length;
  }

  async look(): Promise<ReadonlySet<string>> {
    const { alerts } = await this.#ask<{ alerts: { state: string; labels: { alertname: string } }[] }>(
      '/api/v1/alerts',
    );
    const firing = new Set(alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname));
    for (const name of firing) this.fired.add(name);
    return firing;
  }
}

/** Asked every half second; false once the time is over. What cannot be asked yet is not there yet. */
export async function until(seconds: number, test: () => Promise<boolean>): Promise<boolean> {
  const { clock } = systemRuntime;
  const end = clock.monotonic() + seconds * 1000;
  for (;;) {
    if (await test().catch(() => false)) return true;
    if (clock.monotonic() > end) return false;
    await clock.sleep(500);
  }
}
