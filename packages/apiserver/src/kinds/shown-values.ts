// Maps as refusals quote them: Go writes them in the order of their keys.
import type { Json, JsonObject } from 'kilter/api';
import { compareText, isObject } from '../values/index.ts';

export const shownMap = (map: JsonObject | undefined): Json =>
  map === undefined ? null : Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => compareText(a, b)));

export const shownSelector = ({ matchLabels, ...rest }: JsonObject): JsonObject => ({
  ...(isObject(matchLabels) && { matchLabels: shownMap(matchLabels) }),
  ...rest,
});
