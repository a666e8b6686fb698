// The only reader of the environment in this package.
export { environmentVariable, environmentWith } from './environment.ts';
