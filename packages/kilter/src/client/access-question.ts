import type { Kind } from '../api/index.ts';

export type AccessVerb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  | '*'
  // Other verbs exist (`bind`, `impersonate`, …), and editors still offer these.
  | (string & {});

interface ResourceQuestion {
  verb: AccessVerb;
  /** Default: any namespace, or that of `client.with({ namespace })`. */
  namespace?: string | undefined;
  /** One object. Default: all. */
  name?: string | undefined;
  subresource?: string | undefined;
}

/** What is asked: about a kind, about a resource by its plural, or about a path that is not a resource, as `/metrics`. */
export type AccessQuestion =
  | (ResourceQuestion & { kind: Kind; resource?: never; group?: never; path?: never })
  | (ResourceQuestion & {
      /** Its plural, as `deployments`. */
      resource: string;
      /** Default: the core group. */
      group?: string | undefined;
      kind?: never;
      path?: never;
    })
  | { verb: string; path: string; kind?: never; resource?: never };
