// The same tests once more, on a real control plane; `npm run kube:install` brings one.
import { findBinaries } from '@kilter/testing';
import { describe, expect, test, vi } from 'vitest';

const { missing } = findBinaries();

async function sameTests(): Promise<void> {
  vi.stubEnv('KILTER_BACKEND', 'control-plane');
  await import('./webapp.test.ts');
}

/** Where there is none, one test says so instead of all. */
function skippedTest(): void {
  test.skipIf(missing !== undefined)(`a WebApp (skipped: ${missing})`, () => expect(missing).toBeUndefined());
}

describe('on a real control plane', () => (missing === undefined ? sameTests() : skippedTest()));
