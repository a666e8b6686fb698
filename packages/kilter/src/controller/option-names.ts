import type { KubeObject } from '../api/index.ts';
import type { OptionNames } from '../errors/index.ts';
import type { ReadsOptions, TriggerOptions, WatchOptions } from '../trigger/index.ts';
import type { OwnsOptions } from './builder.ts';
import type { ControllerOptions, WritesOptions } from './spec.ts';

const place: OptionNames<Omit<TriggerOptions<KubeObject>, 'when'>> = { labels: true, fields: true, namespaces: true };
const reads: OptionNames<ReadsOptions<KubeObject, boolean>> = { ...place, metadataOnly: true };
const watches: OptionNames<WatchOptions<KubeObject, boolean>> = { ...reads, when: true, settle: true };
const owns: OptionNames<OwnsOptions<KubeObject, boolean>> = { ...watches, prune: true };
const writes: OptionNames<WritesOptions> = { verbs: true, subresource: true, namespaces: true, names: true };

/** What each declaration of a builder takes. */
export const declarationOptions: Readonly<
  Record<'owns' | 'writes' | 'reads' | 'references' | 'watches', OptionNames<object>>
> = { owns, writes, reads, references: watches, watches };

/** What `controller(Kind, …)` takes. */
export const ownOptions: OptionNames<ControllerOptions<KubeObject>> = {
  name: true,
  labels: true,
  fields: true,
  namespaces: true,
  when: true,
  deleting: true,
  statusUpdates: true,
  everyReplica: true,
  quarantine: true,
  timeout: true,
  backoff: true,
  ageing: true,
  fairness: true,
};
