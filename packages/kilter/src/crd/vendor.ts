import { gap } from './gap.ts';
import type { Raw } from './json-schema.ts';
import { at, patternsAside, untold, untoldOfPattern, withPattern } from './vendor-marks.ts';
import { zod } from './vendor-zod.ts';

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

/** What makes a schema of this library one that tells its JSON Schema. */
export function speakingCure(vendor: unknown): string {
  if (vendor === 'valibot') return 'wrap it: toStandardJsonSchema(schema) of @valibot/to-json-schema';
  if (vendor === 'arktype') return 'use a newer arktype: it has to support Standard JSON Schema';
  return 'use zod 4.2 or newer, or another library that supports Standard JSON Schema';
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
      return patternsAside(untoldOfPattern(requirement).reduce(untold, jsonSchema));
    }
    if (!errors?.length) return patternsAside(jsonSchema);
    if (kind === 'metadata' || silent.has(type)) return jsonSchema;
    if (kind === 'validation') return untold(jsonSchema, `v.${type}()`);
    return { ...jsonSchema, ...gap('transform', errors.join(' ')) };
  },
  overrideSchema: ({ valibotSchema: { type }, jsonSchema, errors }: ValibotSchema): Raw | undefined => {
    if (type === 'loose_object') return { ...jsonSchema, additionalProperties: {} };
    if (!errors?.length) return undefined;
    // Its keys are described by `propertyNames`, whatever their schema is.
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
