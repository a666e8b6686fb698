/** Where a schema stands: what is allowed there depends on it. */
export interface SchemaPosition {
  readonly path: string;
  readonly root: boolean;
  /** Below apiVersion, kind or metadata of a resource. */
  readonly insideMetadata: boolean;
  /** Why there may be no default; undefined where there may. */
  readonly noDefaults: string | undefined;
}

export const rootPlace = (path: string): SchemaPosition => ({
  path,
  root: true,
  insideMetadata: false,
  noDefaults: undefined,
});
