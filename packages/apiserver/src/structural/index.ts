// Whether a schema is one the server takes: structure, defaults, rules and their cost. Pure.
export { structuralProblems } from './structural-problems.ts';
