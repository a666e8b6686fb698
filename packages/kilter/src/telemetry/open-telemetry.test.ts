import { trace } from '@opentelemetry/api';
import { expect, onTestFinished, test } from 'vitest';
import { loadOpenTelemetry } from './open-telemetry.ts';

test('OT-3 where nobody registered a provider, the API is not even loaded', async () => {
  expect(await loadOpenTelemetry()).toBeUndefined();
  trace.setGlobalTracerProvider({ getTracer: () => trace.getTracer('none') });
  onTestFinished(() => trace.disable());
  expect(await loadOpenTelemetry()).toHaveProperty('trace');
});
