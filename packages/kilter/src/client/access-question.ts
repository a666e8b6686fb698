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

/** What to ask about: a kind, a resource by its plural, or a path that is not a resource, such as `/metrics`. */
export type AccessQuestion =
  | (ResourceQuestion & { kind: Kind; resource?: never; group?: never; path?: never })
  | (ResourceQuestion & {
      /** Its plural, such as `deployments`. */
      resource: string;
      /** Default: the core group. */
      group?: string | undefined;
      kind?: never;
      path?: never;
    })
  | { verb: string; path: string; kind?: never; resource?: never };
