import { inShort, optionMistakes, type OptionNames } from '../errors/index.ts';
import { invalidOption } from './option-values.ts';
import type { AccessQuestion } from './access-question.ts';
import type {
  ApplyOptions,
  CallOptions,
  ClientDefaults,
  DeleteAllOptions,
  DeleteOptions,
  DeletionOptions,
  EachOptions,
  EditOptions,
  EvictOptions,
  ListOptions,
  LogOptions,
  PageOptions,
  PatchOptions,
  ReadOptions,
  SelectOptions,
  TokenOptions,
  WatchOptions,
  WriteOptions,
} from './options.ts';

const call: OptionNames<CallOptions> = { signal: true };
const read: OptionNames<ReadOptions> = { metadataOnly: true, resourceVersion: true, subresource: true, ...call };
const select: OptionNames<SelectOptions> = { namespace: true, labels: true, fields: true, metadataOnly: true, ...call };
const list: OptionNames<ListOptions> = {
  ...select,
  pageSize: true,
  limit: true,
  resourceVersion: true,
  resourceVersionMatch: true,
};
const each: OptionNames<EachOptions> = { ...list, onExpired: true };
const page: OptionNames<PageOptions> = { ...list, continue: true };
const watch: OptionNames<WatchOptions> = {
  ...select,
  resourceVersion: true,
  sendInitialEvents: true,
  timeoutSeconds: true,
  onOpen: true,
};
const write: OptionNames<WriteOptions> = { dryRun: true, manager: true, fieldValidation: true, ...call };
const patch: OptionNames<PatchOptions> = { subresource: true, ...write };
const edit: OptionNames<EditOptions> = { conflict: true, ...patch };
const apply: OptionNames<ApplyOptions> = { force: true, ...patch };
const applyPart: OptionNames<Omit<ApplyOptions, 'subresource'>> = { force: true, ...write };
const deletion: OptionNames<DeletionOptions> = { dryRun: true, propagation: true, gracePeriod: true, ...call };
const deleteOne: OptionNames<DeleteOptions> = { preconditions: true, ...deletion };
const deleteAll: OptionNames<DeleteAllOptions> = {
  namespace: true,
  allNamespaces: true,
  labels: true,
  fields: true,
  ...deletion,
};
const evict: OptionNames<EvictOptions> = { preconditions: true, ...deletion };
const token: OptionNames<TokenOptions> = { audiences: true, expirationSeconds: true, boundTo: true, ...call };
const logs: OptionNames<LogOptions> = {
  container: true,
  follow: true,
  previous: true,
  sinceSeconds: true,
  sinceTime: true,
  tailLines: true,
  limitBytes: true,
  timestamps: true,
  maxLineBytes: true,
  ...call,
};
const defaults: OptionNames<ClientDefaults> = {
  namespace: true,
  dryRun: true,
  manager: true,
  fieldValidation: true,
  deadline: true,
};

type AllOf<U> = U extends unknown ? keyof U : never;
const question: Readonly<Record<AllOf<AccessQuestion>, true>> = {
  verb: true,
  kind: true,
  resource: true,
  group: true,
  path: true,
  name: true,
  namespace: true,
  subresource: true,
};

type Verb =
  | 'get'
  | 'find'
  | 'list'
  | 'listPage'
  | 'each'
  | 'watch'
  | 'create'
  | 'update'
  | 'edit'
  | 'patch'
  | 'apply'
  | 'delete'
  | 'deleteAll'
  | 'evict'
  | 'token'
  | 'logs'
  | 'scale'
  | 'can'
  | 'can(question)'
  | 'kind'
  | 'version'
  | 'with'
  | 'subresource().get'
  | 'subresource().create'
  | 'subresource().update'
  | 'subresource().patch'
  | 'subresource().apply';

/** What each verb of a client takes. */
const verbs: Readonly<Record<Verb, OptionNames<object>>> = {
  get: read,
  find: read,
  list,
  listPage: page,
  each,
  watch,
  create: patch,
  update: patch,
  edit,
  patch,
  apply,
  delete: deleteOne,
  deleteAll,
  evict,
  token,
  logs,
  scale: write,
  can: call,
  'can(question)': question,
  kind: call,
  version: call,
  with: defaults,
  'subresource().get': call,
  'subresource().create': write,
  'subresource().update': write,
  'subresource().patch': write,
  'subresource().apply': applyPart,
};

/** By its form: other realms and libraries have classes of their own. */
function isSignal(value: Partial<AbortSignal> | null): boolean {
  return typeof value?.aborted === 'boolean' && typeof value.addEventListener === 'function';
}

/** Refuses what is not an option of the verb, before anything is sent. Types forbid it; JavaScript and `any` do not. */
export function checkOptions(verb: Verb, given: object | undefined): void {
  if (given === undefined) return;
  const [mistake] = optionMistakes(verb, given, verbs[verb]);
  if (mistake !== undefined) throw invalidOption(mistake);
  const { signal } = given as CallOptions;
  if (signal === undefined || isSignal(signal)) return;
  throw invalidOption(`${verb}: signal is ${inShort(signal)}, not the signal of an AbortController`);
}
