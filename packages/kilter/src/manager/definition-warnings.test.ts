import { expect, test } from 'vitest';
import { z } from 'zod';
import { controller } from '../controller/index.ts';
import { customResource } from '../crd/index.ts';
import { ConfigMap } from '../k8s/core/v1.ts';
import { type Logger, silentLogger } from '../telemetry/index.ts';
import { tellWarnings } from './definition-warnings.ts';

class Scale extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Scale',
  spec: z.object({ weight: z.number(), name: z.string().trim() }),
}) {}
const nothing = (): Promise<void> => Promise.resolve();

test('CRD-E19: what the definition of a reconciled kind may keep but should know about is reported once, with its cure', () => {
  const told: [unknown, unknown][] = [];
  const logger: Logger = { ...silentLogger, warn: (fields: unknown, text?: string) => void told.push([fields, text]) };
  const both = [controller(Scale).reconcile(nothing), controller(Scale, { name: 'other' }).reconcile(nothing)];
  tellWarnings([...both, controller(ConfigMap).reconcile(nothing)], logger);
  expect(told.map(([fields]) => fields)).toEqual(Scale.warnings.map(({ code, path }) => ({ code, path })));
  expect(told.length).toBeGreaterThan(1);
  expect(told[0]?.[1]).toBe(
    'the definition of Scale.example.com: spec.weight: is a floating-point number (CRD_SCHEMA_FLOAT: use z.int(), or a string with quantity())',
  );
});
