#!/usr/bin/env node
// The server as envtest starts it: the flags of kube-apiserver, and an end at SIGTERM.
import { KilterError } from 'kilter';
import { apiServer } from './api-server.ts';
import { readFlags } from './envtest-flags.ts';
import { envtestRequest, FlagRefused, kubeApiserverHelp } from './envtest-request.ts';

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const flags = readFlags(args);
  if (flags.has('help')) {
    process.stdout.write(kubeApiserverHelp);
    return 0;
  }
  try {
    const { server: options, serve } = envtestRequest(flags);
    const asked = new Promise<void>((done) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
    });
    await using server = apiServer(options);
    await server.listen(serve);
    await asked;
    return 0;
  } catch (error) {
    if (!(error instanceof FlagRefused || error instanceof KilterError || error instanceof RangeError)) throw error;
    process.stderr.write(`${error.message}\n\`kube-apiserver --help\` lists the flags.\n`);
    return 1;
  }
}
