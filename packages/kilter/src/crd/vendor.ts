import { gap, untoldKey } from './gap.ts';
import { isRecord, type Raw, schemasAt } from './json-schema.ts';

/**
 * What to ask of the libraries we know beyond the standard: to mark the places their JSON Schema cannot speak of
 * instead of giving up on the whole (zod, valibot) or leaving them out in silence (arktype). A library nobody knows is
 * asked without, and says what it says.
 */
export function vendorOptions(vendor: unknown): Raw {
  switch (vendor) {
    case 'zod':
      return zod;
    case 'valibot':
      return valibot;
    case 'arktype':
      return { fallback: arktype };
    default:
      return {};
  }
}

/** Remembers one more thing the server will not hear of. */
function untold(node: Raw, what: string): Raw {
  const before = Array.isArray(node[untoldKey]) ? node[untoldKey] : [];
  return { ...node, [untoldKey]: [...before, what] };
}

/** A second pattern would take the place of the first. */
function patternsAside({ pattern, ...node }: Raw): Raw {
  return typeof pattern === 'string' ? withPattern(node, pattern) : { ...node };
}

function withPattern(node: Raw, pattern: string): Raw {
  return { ...node, allOf: [...schemasAt(node['allOf']), { pattern }] };
}

/** Flags that change what a pattern matches; Go's patterns carry none beside them. */
function lostFlags(pattern: unknown): string {
  return pattern instanceof RegExp ? pattern.flags.replaceAll(/[^ims]/g, '') : '';
}

const at = (value: unknown, key: string): unknown =>
  (isRecord(value) || typeof value === 'function' ? (value as Raw)[key] : undefined) ?? undefined;

const zod = {
  unrepresentable: ({ zodSchema, message }: { zodSchema: unknown; message: string }) =>
    gap(String(at(at(at(zodSchema, '_zod'), 'def'), 'type')), message),
  override: ({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Record<string, unknown> }) => {
    const def = at(at(zodSchema, '_zod'), 'def');
    if (at(def, 'type') === 'promise') Object.assign(jsonSchema, gap('promise', 'is a promise'));
    for (const what of zodUntold(def)) Object.assign(jsonSchema, untold(jsonSchema, what));
  },
};

function zodUntold(def: unknown): string[] {
  const checks = at(def, 'checks');
  const told = (Array.isArray(checks) ? checks : []).flatMap((check) => {
    const inner = at(at(check, '_zod'), 'def');
    if (at(inner, 'check') === 'custom') return ['.refine()'];
    if (at(inner, 'check') === 'overwrite') return ['a change such as .trim()'];
    const flags = lostFlags(at(inner, 'pattern'));
    return at(inner, 'format') === 'regex' && flags !== '' ? [`the flag ${flags} of a pattern`] : [];
  });
  return at(def, 'coerce') === true ? [...told, 'z.coerce'] : told;
}

interface ValibotAction {
  readonly valibotAction: { readonly kind: string; readonly type: string; readonly requirement?: unknown };
  readonly jsonSchema: Raw;
  readonly errors?: readonly string[] | null | undefined;
}
interface ValibotSchema {
  readonly valibotSchema: { readonly type: string };
  readonly jsonSchema: Raw;
  readonly errors?: readonly string[] | null | undefined;
}

/** Actions that say something to TypeScript only. */
const silent = new Set(['brand', 'flavor', 'readonly', 'args', 'returns']);

const valibot = {
  overrideAction: ({ valibotAction, jsonSchema, errors }: ValibotAction): Raw | undefined => {
    const { kind, type, requirement } = valibotAction;
    if (type === 'regex') {
      const flags = lostFlags(requirement);
      return patternsAside(flags === '' ? jsonSchema : untold(jsonSchema, `the flag ${flags} of a pattern`));
    }
    if (!errors?.length) return patternsAside(jsonSchema);
    if (kind === 'metadata' || silent.has(type)) return jsonSchema;
    if (kind === 'validation') return untold(jsonSchema, `v.${type}()`);
    return { ...jsonSchema, ...gap('transform', errors.join(' ')) };
  },
  overrideSchema: ({ valibotSchema: { type }, jsonSchema, errors }: ValibotSchema): Raw | undefined => {
    if (type === 'loose_object') return { ...jsonSchema, additionalProperties: {} };
    if (!errors?.length) return undefined;
    // Its keys are told by `propertyNames`, whatever their schema is.
    return type === 'record' ? jsonSchema : { ...jsonSchema, ...gap(type, errors.join(' ')) };
  },
};

interface ArktypeContext {
  readonly code: string;
  readonly base: Raw;
  readonly domain?: unknown;
  readonly proto?: unknown;
  readonly unit?: unknown;
  readonly pattern?: unknown;
}

function arktype(context: ArktypeContext): Raw {
  const { code, base, domain, proto, unit, pattern } = context;
  switch (code) {
    case 'predicate':
      return untold(base, '.narrow()');
    case 'patternIntersection':
      return withPattern(base, String(pattern));
    case 'arrayPostfix':
      return { ...base, prefixItems: base['prefixItems'] ?? [] };
    case 'domain':
      return nameless(base, String(domain));
    case 'proto':
      return nameless(base, String(at(proto, 'name')));
    case 'unit':
      return nameless(base, unit === undefined ? 'undefined' : typeof unit);
    default:
      return nameless(base, code);
  }
}

function nameless(base: Raw, what: string): Raw {
  return { ...base, ...gap(what, `${what} has no JSON Schema form`) };
}
