import { type Kind, kindLabel, type Permission } from '../api/index.ts';
import { hasStatus } from '../reconcile/index.ts';
import type { ControllerSpec, WrittenSpec } from './spec.ts';

interface Needed {
  readonly kind: Kind;
  readonly subresource?: string | undefined;
  readonly verbs: readonly string[];
  readonly namespaces: readonly string[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly why: string;
  readonly occasional?: boolean;
}

/** Asked about by the server while it judges a write, never by their own request. */
const silent: readonly string[] = ['bind', 'escalate'];

function permissions({ kind, subresource, verbs, namespaces, names, why, occasional }: Needed): Permission[] {
  const { group, plural, scope } = kind.names;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  const where = scope === 'Cluster' ? undefined : namespaces;
  return verbs.map((verb) => ({
    group,
    resource,
    verb,
    namespaces: where,
    ...(names && { names }),
    why,
    ...((occasional || silent.includes(verb)) && { occasional: true }),
  }));
}

/**
 * A watch brings what exists as well; from a server that does not support that, and where the watch breaks off, it is listed. `get` gives nothing
 * away that `list` does not, and conflicts are settled with it.
 */
function reading(needed: Omit<Needed, 'verbs'>): Permission[] {
  return [
    ...permissions({ ...needed, verbs: ['watch'] }),
    ...permissions({ ...needed, verbs: ['list', 'get'], occasional: true }),
  ];
}

function writing({ kind, options }: WrittenSpec, needed: Pick<Needed, 'namespaces' | 'why'>): Permission[] {
  const { verbs, subresource, names, namespaces = needed.namespaces } = options;
  const written = permissions({ ...needed, namespaces, kind, subresource, names, verbs: verbs ?? ['create', 'patch'] });
  if (verbs !== undefined) return written;
  // `ctx.apply(object, { owner: true })` looks first whether somebody owns it.
  return [...written, ...permissions({ ...needed, namespaces, kind, subresource, verbs: ['get'], occasional: true })];
}

/** The objects of the controller themselves: their finalizers, their status, and being named as an owner. */
function ownObjects(spec: ControllerSpec, namespaces: readonly string[] | undefined): Permission[] {
  const { kind, cleanups, onError, owns, reconcileKey } = spec;
  const what = `the controller ${spec.name} reconciles ${kindLabel(kind.names)}`;
  const own = { kind, namespaces: spec.namespaces ?? namespaces };
  const finalizing = cleanups.length > 0;
  const all = reading({ ...own, why: what });
  // By key, finalizers are declared nowhere: ctx.of(object).finalizer(…) may be called or not.
  if (finalizing || reconcileKey !== undefined) {
    const why = `the controller ${spec.name} sets a finalizer on ${kindLabel(kind.names)}`;
    all.push(...permissions({ ...own, verbs: ['patch'], why, occasional: !finalizing }));
  }
  if (hasStatus(kind) === true || onError !== undefined) {
    const why = `the controller ${spec.name} writes the status of ${kindLabel(kind.names)}`;
    all.push(...permissions({ ...own, subresource: 'status', verbs: ['patch'], why }));
  }
  if (owns.length > 0) {
    // Asked by the admission plugin OwnerReferencesPermissionEnforcement, where it runs; never by its own request.
    const why = `the controller ${spec.name} names ${kindLabel(kind.names)} as the owner of its children`;
    all.push(...permissions({ ...own, subresource: 'finalizers', verbs: ['update'], why, occasional: true }));
  }
  return all;
}

function ownedKinds(spec: ControllerSpec, defaults: readonly string[] | undefined): Permission[] {
  return spec.owns.flatMap(({ kind, options }) => {
    const namespaces = options.namespaces ?? defaults;
    const needed = { kind, namespaces, why: `the controller ${spec.name} owns ${kindLabel(kind.names)}` };
    const written = [...reading(needed), ...permissions({ ...needed, verbs: ['create', 'patch'] })];
    if (options.prune !== true) return written;
    // Said apart: with `.compose` nobody wrote `prune`, and who reads that `delete` is unused must learn where it comes from.
    const why = `the controller ${spec.name} prunes ${kindLabel(kind.names)} (prune: false keeps what is no longer applied)`;
    return [...written, ...permissions({ ...needed, verbs: ['delete'], why })];
  });
}

/** What a controller must be allowed to do; where it names no namespaces, in those of its operator. */
export function permissionsOf(spec: ControllerSpec, defaults: readonly string[] | undefined): Permission[] {
  const seen = (
    how: string,
    kinds: readonly { kind: Kind; options: { namespaces?: readonly string[] | undefined } }[],
  ) =>
    kinds.flatMap(({ kind, options }) =>
      reading({
        kind,
        namespaces: options.namespaces ?? defaults,
        why: `the controller ${spec.name} ${how} ${kindLabel(kind.names)}`,
      }),
    );
  return [
    ...ownObjects(spec, defaults),
    ...ownedKinds(spec, defaults),
    ...seen('refers to', spec.references),
    ...seen('watches', spec.watches),
    ...seen('reads', spec.reads),
    ...spec.writes.flatMap((written) => {
      const why = `the controller ${spec.name} writes ${kindLabel(written.kind.names)}`;
      return writing(written, { namespaces: defaults, why });
    }),
    ...recording(spec, defaults),
  ];
}

/** What a part declares; the rest of what it does is not known. */
export interface PartDeclarations {
  readonly name: string;
  readonly reads: readonly Kind[];
  readonly writes: readonly WrittenSpec[];
}

/** What a part of the operator must be allowed to do, in the operator's namespaces where it names none. */
export function partPermissions(part: PartDeclarations, namespaces: readonly string[] | undefined): Permission[] {
  const why = (does: string, { names }: Kind): string => `the part ${part.name} ${does} ${kindLabel(names)}`;
  return [
    ...part.reads.flatMap((kind) => reading({ kind, namespaces, why: why('reads', kind) })),
    ...part.writes.flatMap((written) => writing(written, { namespaces, why: why('writes', written.kind) })),
  ];
}

/** To mark an object that ends the process. Asked for only where somebody finds that out. */
export function quarantinePermissions(spec: ControllerSpec, defaults: readonly string[] | undefined): Permission[] {
  const { kind, namespaces = defaults } = spec;
  const why = `the controller ${spec.name} marks ${kindLabel(kind.names)} that end the process`;
  return permissions({ kind, namespaces, verbs: ['patch'], why, occasional: true });
}

/** Events are in the namespace of their object, and those about cluster-scoped objects in `default`. */
function recording({ name, kind, namespaces }: ControllerSpec, defaults: readonly string[] | undefined): Permission[] {
  const where = kind.names.scope === 'Cluster' ? ['default'] : (namespaces ?? defaults);
  return eventPermissions(where, `the controller ${name} records Events about ${kindLabel(kind.names)}`);
}

/** The group that is really written, which is not the core group. */
export function eventPermissions(namespaces: readonly string[] | undefined, why: string): Permission[] {
  return ['create', 'patch'].map((verb) => ({
    group: 'events.k8s.io',
    resource: 'events',
    verb,
    namespaces,
    why,
    occasional: true,
  }));
}
