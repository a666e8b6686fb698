import type { JsonObject } from 'kilter/api';
import { compareText, metadataOf, objectIfIn, textIn } from '../values/index.ts';

/** The class for objects that name none: of several, the newest, by name where they are of one age. */
export function defaultClass(classes: readonly JsonObject[], annotations: readonly string[]): string | undefined {
  const isDefault = (one: JsonObject): boolean =>
    annotations.some((name) => objectIfIn(metadataOf(one), 'annotations')?.[name] === 'true');
  const found = classes.filter(isDefault).map((one) => ({
    name: textIn(metadataOf(one), 'name'),
    created: textIn(metadataOf(one), 'creationTimestamp'),
  }));
  const [first] = found.sort((a, b) => compareText(b.created, a.created) || compareText(a.name, b.name));
  return first?.name;
}
