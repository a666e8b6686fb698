import { child, element } from './field-path.ts';
import { isRecord, propertiesAt, type Raw, schemaAt, schemasAt } from './json-schema.ts';
import type { Findings } from './problem.ts';

/** Where a reference was met, and which references led there. */
interface Way {
  readonly path: string;
  readonly through: readonly string[];
}

/** Puts every definition where it is referred to, since a CustomResourceDefinition has no references. */
export function inlineReferences(root: Raw, path: string, findings: Findings): Raw {
  return new Inliner(root, findings).schema(root, { path, through: [] });
}

class Inliner {
  readonly #root: Raw;
  readonly #findings: Findings;

  constructor(root: Raw, findings: Findings) {
    this.#root = root;
    this.#findings = findings;
  }

  schema(node: Raw, way: Way): Raw {
    const { $ref, $defs: _defs, definitions: _definitions, ...rest } = node;
    const own = this.#keywords(rest, way);
    if (typeof $ref !== 'string') return own;
    const target = this.#follow($ref, way);
    return { ...own, allOf: [...schemasAt(own['allOf']), target] };
  }

  #follow(ref: string, way: Way): Raw {
    const target = resolve(this.#root, ref);
    if (target === undefined) {
      this.#refuse('CRD_SCHEMA_UNREPRESENTABLE', way.path, `refers to ${ref}, which is not part of the schema`);
      return {};
    }
    if (isAnyJson(target, ref)) return {};
    if (way.through.includes(ref)) {
      this.#refuse('CRD_SCHEMA_RECURSIVE', way.path, 'refers back to a schema it is part of');
      return {};
    }
    return this.schema(target, { path: way.path, through: [...way.through, ref] });
  }

  #keywords(node: Raw, way: Way): Raw {
    const at = (path: string): Way => ({ path, through: way.through });
    const result: Record<string, unknown> = { ...node };
    if (isRecord(node['properties'])) {
      const properties = propertiesAt(node['properties']);
      result['properties'] = Object.fromEntries(
        properties.map(([name, schema]) => [name, this.schema(schema, at(child(way.path, name)))]),
      );
    }
    for (const key of ['items', 'additionalProperties'] as const) {
      if (isRecord(node[key])) result[key] = this.schema(schemaAt(node[key]), at(element(way.path)));
    }
    if (isRecord(node['propertyNames'])) result['propertyNames'] = this.schema(node['propertyNames'], way);
    for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
      if (key in node) result[key] = schemasAt(node[key]).map((schema) => this.schema(schema, way));
    }
    return result;
  }

  #refuse(code: 'CRD_SCHEMA_RECURSIVE' | 'CRD_SCHEMA_UNREPRESENTABLE', path: string, message: string): void {
    this.#findings.refuse({ code, path, message });
  }
}

/** Follows a JSON pointer such as `#/$defs/Shared`. */
function resolve(root: Raw, ref: string): Raw | undefined {
  if (!ref.startsWith('#')) return undefined;
  const keys = ref
    .split('/')
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = keys.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), root);
  return isRecord(found) ? found : undefined;
}

/** `z.json()`: every JSON type, lists and records of itself among them, which is not a recursion worth refusing. */
function isAnyJson(schema: Raw, ref: string): boolean {
  const branches = schemasAt(schema['anyOf']);
  const refersBack = (value: unknown): boolean => isRecord(value) && value['$ref'] === ref;
  const has = (type: string): boolean => branches.some((branch) => branch['type'] === type);
  return (
    ['string', 'number', 'boolean'].every(has) &&
    branches.some((branch) => branch['type'] === 'array' && refersBack(branch['items'])) &&
    branches.some((branch) => branch['type'] === 'object' && refersBack(branch['additionalProperties']))
  );
}
