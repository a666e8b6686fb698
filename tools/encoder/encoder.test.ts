import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sources } from '../../packages/kilter/src/bytes/encoder-module.gen.ts';
import { digestOfSources, generated } from './sources.ts';

test('the module that is published was compiled from the sources that are here: else `npm run encoder`', () => {
  expect(sources).toBe(digestOfSources());
});

test('the module asks for nothing but what the other half of the encoder answers', async () => {
  const { encoderModule } = (await import(generated)) as { encoderModule: string };
  // Its types are those of browsers.
  const { Module } = (globalThis as unknown as { WebAssembly: { Module: ModuleClass } }).WebAssembly;
  const asked = Module.imports(new Module(Buffer.from(encoderModule, 'base64')));
  expect(asked.map(({ module, name }) => `${module}.${name}`).toSorted()).toEqual(
    ['absent', 'extend', 'fail', 'inside', 'isInfinite', 'isUtf8', 'pooled', 'role'].map((name) => `learn.${name}`),
  );
  expect(readFileSync(generated, 'latin1')).not.toMatch(/[\u0080-\uffff]/);
});

interface ModuleClass {
  new (bytes: Uint8Array): object;
  imports(module: object): readonly { readonly module: string; readonly name: string }[];
}
