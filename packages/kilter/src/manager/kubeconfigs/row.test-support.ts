// Test support: one kubeconfig, what kubectl makes of it, and where Kilter differs on purpose.

/** What arrived at the server, or at none. */
export interface Arrival {
  /** As `/prefix`, where the server's address has a path. */
  readonly prefix?: string | undefined;
  readonly namespace?: string | undefined;
  /** The `authorization` header. */
  readonly auth?: string | undefined;
  /** The `impersonate-*` headers: `user=…` and the others, in order. */
  readonly as?: string | undefined;
  /** The common name of the client's certificate. */
  readonly cert?: string | undefined;
  /** The server name the client asked for in the TLS handshake; '' where it named none. */
  readonly sni?: string | undefined;
  /** The proxies it came through, with what they were asked for. */
  readonly via?: string | undefined;
}
export type Outcome = Arrival | 'refused';

export interface Row {
  readonly title: string;
  /** The file `config`, or several with their names. Words as `$SERVER` are filled in: see `words` of the world. */
  readonly kubeconfig: string | Readonly<Record<string, string>>;
  /** What kubectl does. */
  readonly kubectl: Outcome;
  /** What Kilter does, where it is something else. */
  readonly kilter?: Outcome | undefined;
  /** Why Kilter does something else: a decision, not a lack. */
  readonly because?: string | undefined;
  /** Beside `KUBECONFIG`, which lists the files in their order. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Other files in the folder. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** A part of what Kilter warns of, or of its error and cure. */
  readonly says?: RegExp | undefined;
}

/** Where nobody logs in, kubectl asks for a name at the keyboard, which nobody here has. */
export const anonymous = {
  kubectl: 'refused',
  kilter: { namespace: 'default', sni: 'localhost' },
  because: 'a program has no keyboard: it goes on anonymously, as other programs with client-go do, and says so',
  says: /anonymous/,
} as const;

/** A kubeconfig of one context named `a`; YAML in flow style. */
export function one(cluster: string, user = '{}', more = ''): string {
  return [
    'apiVersion: v1',
    'kind: Config',
    'current-context: a',
    `contexts: [{ name: a, context: { cluster: a, user: a${more} } }]`,
    `clusters: [{ name: a, cluster: ${cluster} }]`,
    `users: [{ name: a, user: ${user} }]`,
    '',
  ].join('\n');
}

/** A cluster that can be reached and is trusted. */
export const ok = '{ server: "$SERVER", certificate-authority-data: $CA }';
/** The same with other fields. */
export const cluster = (fields: string): string => `{ server: "$SERVER", certificate-authority-data: $CA, ${fields} }`;
/** What arrives from `ok` and a token `t`. */
export const plain: Arrival = { namespace: 'default', sni: 'localhost' };
export const asT: Arrival = { ...plain, auth: 'Bearer t' };
