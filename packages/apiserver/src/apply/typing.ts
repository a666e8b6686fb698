import type { Json, JsonObject } from 'kilter/api';
import { append, compareText, goSyntax, goText, goType, isNumeric, isObject, isScalar } from '../values/index.ts';
import { identify } from './list-item.ts';
import { elementText, fieldElement, indexElement, type PathElement } from './path-element.ts';
import { type ListType, type MapType, type ScalarType, shapeOf, type Type } from './type.ts';

export interface TypingOptions {
  /** Stored objects may hold duplicates (nothing forbids a PUT to write them); applied ones may not. */
  readonly duplicates: 'allowed' | 'refused';
}

/** Why a value is not of its type, in the server's words; undefined when it is. */
export function typingProblem(value: JsonObject, type: Type, options: TypingOptions): string | undefined {
  const problems = problemsOf({ value, type, ...options }).map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );
  if (problems.length < 2) return problems[0];
  return ['errors:', ...problems.map((problem) => `  ${problem}`)].join('\n');
}

interface Problem {
  /** From the place where it was found: '' is that place itself. */
  readonly path: string;
  readonly message: string;
}

interface TypedValue extends TypingOptions {
  readonly value: Json;
  readonly type: Type;
}

function problemsOf(place: TypedValue): readonly Problem[] {
  if (place.value === null) return none;
  const shape = shapeOf(place.type, place.value);
  switch (shape.kind) {
    case 'map':
      return mapProblems(place, shape.map);
    case 'list':
      return listProblems(place, shape.list);
    case 'scalar':
      return scalarProblems(place.value, shape.scalar);
  }
}

const here = (message: string): Problem => ({ path: '', message });

const none: readonly Problem[] = [];

const below = (element: PathElement, problems: readonly Problem[]): Problem[] =>
  problems.map(({ path, message }) => ({ path: `${elementText(element)}${path}`, message }));

function mapProblems({ value: fields, duplicates }: TypedValue, map: MapType): readonly Problem[] {
  if (!isObject(fields)) return [here(`expected map, got &{${goText(fields)}}`)];
  const undeclared: string[] = [];
  const found: { readonly name: string; readonly problems: readonly Problem[] }[] = [];
  for (const name of Object.keys(fields)) {
    const type = map.field(name);
    if (type === undefined) undeclared.push(name);
    else {
      const problems = problemsOf({ value: fields[name] as Json, type, duplicates });
      if (problems.length > 0) found.push({ name, problems });
    }
  }
  if (found.length === 0 && undeclared.length === 0) return none;
  return upToFirst(undeclared.toSorted(compareText)[0], found);
}

/** In the order of their names, and nothing after the first field that is not declared. */
function upToFirst(
  undeclared: string | undefined,
  found: readonly { readonly name: string; readonly problems: readonly Problem[] }[],
): Problem[] {
  const before = found.filter(({ name }) => undeclared === undefined || compareText(name, undeclared) < 0);
  const sorted = before.toSorted((left, right) => compareText(left.name, right.name));
  return [
    ...sorted.flatMap(({ name, problems }) => below(fieldElement(name), problems)),
    ...(undeclared === undefined ? [] : below(fieldElement(undeclared), [here('field not declared in schema')])),
  ];
}

function listProblems(place: TypedValue, list: ListType): readonly Problem[] {
  if (!Array.isArray(place.value)) return [here(`expected list, got &{${goText(place.value)}}`)];
  const seen = new Set<PathElement>();
  const problems: Problem[] = [];
  for (const [index, value] of place.value.entries()) {
    const identified = list.atomic ? { element: indexElement(index) } : identify(value, list);
    if ('problem' in identified) return [...problems, here(`element ${index}: ${identified.problem}`)];
    const { element } = identified;
    if (seen.has(element) && place.duplicates === 'refused') {
      problems.push(here(`duplicate entries for key ${elementText(element)}`));
    }
    seen.add(element);
    append(problems, below(element, problemsOf({ ...place, value, type: list.item() })));
  }
  return problems;
}

function scalarProblems(value: Json, scalar: ScalarType): readonly Problem[] {
  const message = scalarProblem(value, scalar);
  return message === undefined ? none : [here(message)];
}

function scalarProblem(value: Json, scalar: ScalarType): string | undefined {
  switch (scalar) {
    case 'numeric':
      return isNumeric(value) ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      if (typeof value === 'string') return undefined;
      return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goText(value)}}`;
    case 'any':
      return isScalar(value) ? undefined : `expected any scalar, got &{${goText(value)}}`;
  }
}
