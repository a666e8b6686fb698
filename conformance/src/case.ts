// What a conformance case is: data only. The expected answers are not here: a real kube-apiserver gave them (goldens).

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The sections of docs/contracts/apiserver-semantics.md, as folders of cases and goldens. */
export const sections = [
  'transport',
  'discovery',
  'create-update',
  'errors',
  'list-watch',
  'deletion',
  'patch-apply',
  'subresources-crds',
  'admission-identity',
  'workloads-limits',
  'executables',
] as const;
export type Section = (typeof sections)[number];

/**
 * What runs beside the API: nothing; garbage collection, namespaces and service accounts; or these and Deployments,
 * ReplicaSets, Jobs and a node whose pods run. Prefer `api`: what runs beside writes at times of its own.
 */
export type World = 'api' | 'controllers' | 'workloads';

/** `admin` may do everything, `alice` (group `team`) and `bob` nothing unless a case grants it; `nobody` shows no token. */
export type User = 'admin' | 'alice' | 'bob' | 'wrong-token' | 'nobody';

export type Body =
  | { readonly json: Json }
  /** Sent as it stands, for YAML, broken JSON, and numbers JavaScript has no room for. */
  | { readonly text: string }
  | { readonly base64: string }
  /** An object of a built-in kind, sent as protobuf once it is filled in. */
  | { readonly protobuf: Json };

/** A value somewhere in the answers so far: step name first, as 'create.body.metadata.uid'; as a list where keys have dots. */
export type At = string | readonly string[];

/** How an answer is compared, where the whole body is not the point. Each narrowing says why. */
export interface Comparison {
  /** Only these places of the answer, as ['body.paths'], are recorded and compared. */
  readonly only?: readonly At[] | undefined;
  /** These places are not compared: each is there or not, that is all. */
  readonly mask?: readonly At[] | undefined;
  /** Lists at these places are compared as sets. */
  readonly unordered?: readonly At[] | undefined;
  /** Required with only, mask and unordered. */
  readonly because?: string | undefined;
  /** Headers beside those always compared (`comparedHeaders`), in lower case. */
  readonly headers?: readonly string[] | undefined;
  /** Only prepares what follows: not compared at all, but it must succeed. Its values can be filled in and claimed. */
  readonly setup?: boolean | undefined;
  /** The order of the keys counts as well. */
  readonly keyOrder?: boolean | undefined;
}

export type Headers = Readonly<Record<string, string | readonly string[]>>;

export interface RequestStep extends Comparison {
  readonly do: 'request';
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** With query. `{{ns}}`, `{{ns2}}`, `{{group}}` and `{{step.body.metadata.uid}}` are filled in, in bodies and headers as well. */
  readonly path: string;
  readonly as?: User | undefined;
  /** Sent with the request; Content-Type is application/json where a body has none. A list is as many headers of that name. */
  readonly send?: Headers | undefined;
  readonly body?: Body | undefined;
  /** Over HTTP/2, on one connection for all such requests of the case. */
  readonly http2?: boolean | undefined;
  /** The name of a launched program that is asked instead of the server. */
  readonly to?: string | undefined;
  /** The client shows a certificate: with `to` only, whose authority is at hand. */
  readonly certificate?: Certificate | undefined;
  /** Asked again until this holds (30 s at most on a real server): only for what the server does in its own time. The last answer counts. */
  readonly until?: Condition | undefined;
}

/** The user's name and groups, as a client certificate has them. */
export interface Certificate {
  readonly name: string;
  readonly organizations?: readonly string[] | undefined;
}

/** Opens a watch and keeps it; what arrives is looked at by `events`. */
export interface WatchStep {
  readonly do: 'watch';
  readonly name: string;
  readonly path: string;
  readonly as?: User | undefined;
  readonly send?: Headers | undefined;
}

/** Takes events from an open watch: the answer is { status, headers, events, ended }. */
export interface EventsStep extends Comparison {
  readonly do: 'events';
  readonly name: string;
  readonly of: string;
  /** How many are waited for (30 s at most on a real server)… */
  readonly count?: number | undefined;
  /** …or until one about an object of this name has come… */
  readonly untilObject?: string | undefined;
  /** …or until the server ends the stream… */
  readonly untilEnd?: boolean | undefined;
  /** …and then none may follow for this long. */
  readonly quietMs?: number | undefined;
  /** Bookmarks of the server’s own time (all but that at the end of the initial events) are passed over. */
  readonly passBookmarks?: boolean | undefined;
}

/** Several requests at once; the answers are compared as a set. */
export interface TogetherStep {
  readonly do: 'together';
  readonly name: string;
  readonly requests: readonly RequestStep[];
}

/** A TLS handshake that offers these protocols: { protocol, maxConcurrentStreams }. */
export interface HandshakeStep {
  readonly do: 'handshake';
  readonly name: string;
  readonly offer: readonly string[];
}

/** What a scripted webhook was asked, oldest first: { requests: [{ path, body }] }. */
export interface HookLogStep extends Comparison {
  readonly do: 'hook-log';
  readonly name: string;
  readonly hook: string;
  /** Waits until so many have come (30 s at most on a real server). */
  readonly count?: number | undefined;
}

/** Runs an executable to its end: { exitCode, stdout }. A server without executables does not support it. */
export interface ExecuteStep extends Comparison {
  readonly do: 'execute';
  readonly name: string;
  readonly program: 'kube-apiserver' | 'etcd';
  readonly args: readonly string[];
}

/**
 * Starts an executable and asks `ask` every 100 ms until 200 (at most 20 s), without certificate: { status, body }.
 * `{{dir}}` has apiserver.crt and .key, client-cert-auth-ca.crt, sa-signer.crt and .key, tokens.csv (bob-token);
 * `{{port1}}` to `{{port3}}` are free. It ends with the case, or by `end`.
 */
export interface LaunchStep extends Comparison {
  readonly do: 'launch';
  readonly name: string;
  readonly program: 'kube-apiserver' | 'etcd';
  readonly args: readonly string[];
  readonly ask: string;
}

/** Sends SIGTERM to what was launched and waits (at most 20 s): { ended, exitCode, signal }. */
export interface EndStep extends Comparison {
  readonly do: 'end';
  readonly name: string;
  readonly of: string;
  /** Asked by bob while it shuts down, on a connection that was open before: `asked` is the answer. */
  readonly asking?: string | undefined;
}

/** Lets time pass, where the server measures it: as short as it can be. */
export interface PauseStep {
  readonly do: 'pause';
  readonly ms: number;
  readonly because: string;
  /** Where only this one needs the time. Default: on both. */
  readonly on?: 'real' | undefined;
}

export type Step =
  | RequestStep
  | WatchStep
  | EventsStep
  | TogetherStep
  | HandshakeStep
  | HookLogStep
  | ExecuteStep
  | LaunchStep
  | EndStep
  | PauseStep;

export type Condition =
  | { readonly at: At; readonly is: Json }
  | { readonly at: At; readonly present: boolean }
  | { readonly at: At; readonly matches: string }
  | { readonly at: At; readonly contains: Json };

/**
 * One clause of a statement, as something to check in the answers themselves. It must hold on the real server: where it
 * does not, the statement is wrong, or the case.
 */
export type Claim = { readonly clause: string; readonly at: At } & (
  | { readonly is: Json }
  | { readonly isNot: Json }
  | { readonly present: boolean }
  /** A regular expression over the text (or the JSON) there. */
  | { readonly matches: string }
  | { readonly contains: Json }
  | { readonly length: number }
  /** Keys of an object, or values of a list, in this order. */
  | { readonly inOrder: readonly string[] }
  | { readonly sameAs: At }
  /** This text, quotes around it aside, is part of the text there: an ETag in a URL. */
  | { readonly within: At }
  | { readonly differsFrom: At }
  /** Compared as integers: resource versions, generations, counts. */
  | { readonly greaterThan: At | number }
  | { readonly atLeast: At | number }
  /** Two times, apart by so many whole seconds, give or take one. */
  | { readonly secondsAfter: { readonly time: At; readonly seconds: number } }
);

/** A webhook at `{{hooks}}/<name>`, whose authority is `{{hooksCA}}` (base64). */
export interface HookScript {
  readonly status?: number | undefined;
  readonly delayMs?: number | undefined;
  /** Sent with the answer; `{{hooks}}` is filled in. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Answered as it stands, with `{{uid}}` of the review filled in. */
  readonly respond?: Body | undefined;
  /** So many spaces before the answer: JSON all the same, only large. */
  readonly padding?: number | undefined;
  /** Answers a ConversionReview: each object with the version asked for, and these fields merged in. */
  readonly convert?: { readonly merge?: Json | undefined } | undefined;
}

export interface Case {
  /** Unique and short, kebab-case, its statement first: 'c1-server-sets-metadata'. The name of the golden. */
  readonly id: string;
  readonly section: Section;
  /** The statements whose clauses it shows: 'API-C1'. */
  readonly shows: readonly string[];
  readonly title: string;
  readonly world?: World | undefined;
  readonly hooks?: Readonly<Record<string, HookScript>> | undefined;
  readonly steps: readonly Step[];
  readonly claims: readonly Claim[];
}

/** What a step gave, as it came: { status, headers, body, text } and the like. */
export type Answer = { readonly [key: string]: Json };
export type Answers = Readonly<Record<string, Answer>>;
