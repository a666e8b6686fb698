import { quote } from '../values/index.ts';

/** How the API server words what `fieldValidation` finds: a warning each, or joined in the error of a strict request. */

export function unknownFieldText(path: string): string {
  return `unknown field ${quote(path)}`;
}

export function duplicateFieldText(path: string): string {
  return `duplicate field ${quote(path)}`;
}
