import { deepEqual } from '../internal/index.ts';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../k8s/apiextensions/v1.ts';
import { type CompatibilityChange, type Judgement, judgements } from './compatibility-change.ts';
import { schemaChanges } from './compatibility-schema.ts';
import { dataField } from './status.ts';

const { added, breaking, loosened, refused } = judgements;

/** Versions that come, go or change, and what changes in their objects. */
export function versionsChanges(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
): CompatibilityChange[] {
  const stored =
    before.status?.storedVersions ?? before.spec.versions.filter(({ storage }) => storage).map(({ name }) => name);
  const names = [...new Set([...before.spec.versions, ...after.spec.versions].map(({ name }) => name))];
  return names.flatMap((name) => {
    const [old, now] = [before, after].map(({ spec }) => spec.versions.find((version) => version.name === name));
    if (now === undefined) return [removedVersion(name, old, stored)];
    if (old === undefined)
      return [{ path: `versions.${name}`, ...added('version added'), before: undefined, after: name }];
    return versionChanges(old, now);
  });
}

function removedVersion(
  name: string,
  old: CustomResourceDefinitionVersion | undefined,
  stored: readonly string[],
): CompatibilityChange {
  const place = { path: `versions.${name}`, before: name, after: undefined };
  if (stored.includes(name)) {
    const cure = `migrate what is stored: rewrite every object, then take ${name} out of status.storedVersions`;
    return { ...place, ...refused('stored version removed', cure) };
  }
  if (old?.served === false) return { ...place, ...loosened('version removed that was not served') };
  return { ...place, ...breaking('CRD-K7', 'served version removed', 'mark it deprecated, and stop serving it later') };
}

function versionChanges(
  old: CustomResourceDefinitionVersion,
  now: CustomResourceDefinitionVersion,
): CompatibilityChange[] {
  const { name } = old;
  const schema = ({ schema: given }: CustomResourceDefinitionVersion) => given?.openAPIV3Schema ?? {};
  const fields = schemaChanges({ path: '', before: schema(old), after: schema(now) });
  return [
    ...servedChanges(old, now),
    ...subresourceChanges(old, now),
    ...selectableChanges(old, now),
    ...columnChanges(old, now),
    ...fields.map((change) => ({ ...change, path: change.path === '' ? 'root' : change.path, version: name })),
  ];
}

function servedChanges(
  old: CustomResourceDefinitionVersion,
  now: CustomResourceDefinitionVersion,
): CompatibilityChange[] {
  const at = (key: 'served' | 'storage' | 'deprecated', judgement: Judgement): CompatibilityChange[] => {
    const [before, after] = [old[key] ?? false, now[key] ?? false];
    return before === after ? [] : [{ path: `versions.${old.name}.${key}`, ...judgement, before, after }];
  };
  const unserved = breaking('CRD-K7', 'no longer served', 'mark it deprecated first, and move its clients');
  return [
    ...at('served', now.served ? added('served') : unserved),
    ...at('storage', added('storage moved')),
    ...at('deprecated', added('deprecation changed')),
  ];
}

function subresourceChanges(
  old: CustomResourceDefinitionVersion,
  now: CustomResourceDefinitionVersion,
): CompatibilityChange[] {
  return (['status', 'scale'] as const).flatMap((key) => {
    const [before, after] = [old.subresources?.[key], now.subresources?.[key]];
    if (deepEqual(before, after)) return [];
    const path = `versions.${old.name}.subresources.${key}`;
    // Nobody writes a status that only conversions use.
    if (key === 'status' && before === undefined && isOfConversions(now))
      return [{ path, ...added('subresource added for conversions'), before, after }];
    const what =
      before === undefined ? 'subresource added' : after === undefined ? 'subresource removed' : 'paths changed';
    const cure = 'what writers of the object and of the subresource may change is swapped: do it in a new version';
    return [{ path, ...breaking('CRD-K7', what, cure), before, after }];
  });
}

function isOfConversions({ schema }: CustomResourceDefinitionVersion): boolean {
  const { properties = {} } = schema?.openAPIV3Schema?.properties?.['status'] ?? {};
  return deepEqual(Object.keys(properties), [dataField]);
}

function selectableChanges(
  old: CustomResourceDefinitionVersion,
  now: CustomResourceDefinitionVersion,
): CompatibilityChange[] {
  const paths = ({ selectableFields = [] }: CustomResourceDefinitionVersion): string[] =>
    selectableFields.map(({ jsonPath }) => jsonPath);
  const [before, after] = [paths(old), paths(now)];
  const path = `versions.${old.name}.selectableFields`;
  const cure = 'field selectors that use it would fail: keep it';
  return [
    ...before
      .filter((each) => !after.includes(each))
      .map((each) => ({
        path,
        ...breaking('CRD-K7', 'selectable path removed', cure),
        before: each,
        after: undefined,
      })),
    ...after
      .filter((each) => !before.includes(each))
      .map((each) => ({ path, ...added('selectable path added'), before: undefined, after: each })),
  ];
}

function columnChanges(
  old: CustomResourceDefinitionVersion,
  now: CustomResourceDefinitionVersion,
): CompatibilityChange[] {
  const [before, after] = [old.additionalPrinterColumns ?? [], now.additionalPrinterColumns ?? []];
  if (deepEqual(before, after)) return [];
  const names = (columns: typeof before): string[] => columns.map(({ name }) => name);
  return [
    {
      path: `versions.${old.name}.additionalPrinterColumns`,
      ...added('columns changed'),
      before: names(before),
      after: names(after),
    },
  ];
}
