/** Paths as Kubernetes writes them in causes: `spec.env[0].name`, `metadata.labels[app]`; '' is the root. */

export function child(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

export function at(path: string, index: number): string {
  return `${path}[${index}]`;
}

/** An entry of a map, whose keys are data and not names of fields. */
export function entry(path: string, key: string): string {
  return `${path}[${key}]`;
}

/** What the API server writes where it has no field to name: the root itself. */
export const noField = '<nil>';

export function fieldName(path: string): string {
  return path === '' ? noField : path;
}
