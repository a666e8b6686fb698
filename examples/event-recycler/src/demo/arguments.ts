import { parseArgs } from 'node:util';

export const usage = `Usage: npm run demo:recycler [-- --dry-run]

A sick node group is found, and its instances are replaced. Minutes pass in
seconds, on an embedded API server and a model of AWS: no account is needed.

  --dry-run   decide and report, change nothing
  --help      show this text`;

/** Throws with what is wrong where an argument is not one of the usage. */
export function parseArguments(args: readonly string[]): { readonly dryRun: boolean; readonly help: boolean } {
  const options = {
    'dry-run': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const;
  const { values } = parseArgs({ args: [...args], options, allowPositionals: false });
  return { dryRun: values['dry-run'], help: values.help };
}
