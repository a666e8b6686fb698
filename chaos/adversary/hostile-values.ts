// Values that a schema allows, chosen to hurt whoever reads them: as large as may be, at the edges, with names and texts that are traps.
import { seededRandom } from 'kilter/runtime';

/** What is read of a structural schema. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const longest = 200_000;
const traps: readonly string[] = [
  '', ' ', 'a', '(a+)+$', `${'a'.repeat(28)}!`, '.*', '[', '\\', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined',
  '0', '-1', '1e309', '1s', '1h', '999999h', '999999s', '2020-01-02T03:04:05Z', '9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z', '\u0000', '\u2028', '\u202Eabc',
  'e\u0301'.repeat(50), '😀'.repeat(50), '{{.}}', '${x}', '$(x)', '../../etc/passwd', 'http://127.0.0.1/', 'a\nb: c', '<b>', '%00', '%', 'a/b/c', 'a:latest', 'nginx:1',
  'eu-west-1', 'asg-sick', 'i-0123456789abcdef0', 'failed', 'é', 'A_b', '-', '*', '10%', '1500m',
]; // prettier-ignore
const numbers = [0, 1, -1, 2, 5, 100, 1.5, 65_535, 65_536, 2 ** 31, 2 ** 31 - 1, 2 ** 53 - 1, -(2 ** 53), 1e21, 1e300];

export class Hostility {
  readonly #random: () => number;
  /** Characters that may still be written into the object at hand: a server takes no more than about 1.5 MB. */
  #budget = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  chance(of: number): boolean {
    return this.#random() < of;
  }

  one<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)] as T;
  }

  /** Most are small, so that many things are tried; some are as large as can be stored. */
  value(schema: Schema): unknown {
    this.#budget = this.chance(0.15) ? 900_000 : this.chance(0.3) ? 50_000 : 2000;
    return this.#value(schema);
  }

  #value(schema: Schema): unknown {
    if (schema.enum !== undefined && this.chance(0.95)) return this.one(schema.enum);
    switch (schema.type) {
      case 'object':
        return this.#object(schema);
      case 'array':
        return this.#array(schema);
      case 'integer':
      case 'number':
        return this.#allowed(
          [...numbers, schema.minimum ?? 0, schema.maximum ?? 7],
          (number) =>
            number >= (schema.minimum ?? -Infinity) &&
            number <= (schema.maximum ?? Infinity) &&
            (schema.type === 'number' || Number.isSafeInteger(number)),
        );
      case 'boolean':
        return this.chance(0.5);
      default:
        return this.#text(schema);
    }
  }

  /** Now and then one that is refused: that must hurt nobody either. */
  #allowed<T>(of: readonly T[], isAllowed: (one: T) => boolean): T {
    const allowed = of.filter(isAllowed);
    return this.one(allowed.length > 0 && this.chance(0.98) ? allowed : of);
  }

  #text({ pattern, format, minLength = 0, maxLength = longest }: Schema): string {
    const form = pattern === undefined ? undefined : new RegExp(pattern, 'u');
    const most = Math.max(minLength, Math.min(maxLength, this.#budget));
    const part = this.one(['a', '\\', '(a+)+', 'é', '"']);
    const large = this.chance(0.2) ? [part.repeat(Math.ceil(most / part.length)).slice(0, most)] : [];
    const text = this.#allowed([...traps, ...large], (one) => {
      const isTime = format !== 'date-time' || /^\d{4}-.*Z$/.test(one);
      return one.length >= minLength && one.length <= maxLength && isTime && (form?.test(one) ?? true);
    });
    this.#budget -= text.length;
    return text;
  }

  #array({ items = {}, minItems = 0, maxItems = 5000 }: Schema): unknown[] {
    const wanted = this.one([minItems, minItems, 1, 2, 10, maxItems]);
    const list: unknown[] = [];
    while (list.length < wanted && (list.length < minItems || this.#budget > 0)) {
      this.#budget -= 10;
      list.push(this.#value(items));
    }
    return list;
  }

  #object({ properties, required = [], additionalProperties }: Schema): Record<string, unknown> {
    const fields = Object.entries(properties ?? {}).filter(([name]) => required.includes(name) || this.chance(0.6));
    const entries: [string, unknown][] = fields.map(([name, schema]) => [name, this.#value(schema)]);
    const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    const count = others === undefined ? 0 : this.one([0, 1, 10, 2000]);
    for (let n = 0; n < count && this.#budget > 0; n += 1) {
      const key = n < traps.length ? (traps[n] ?? '') : `key-${n}`;
      this.#budget -= key.length + 10;
      entries.push([key, this.#value(others ?? {})]);
    }
    if (this.chance(0.02)) entries.push([this.one(traps), 1]);
    // Fields of its own, even `__proto__`.
    return Object.assign(
      Object.create(null) as Record<string, unknown>,
      ...entries.map(([name, value]) => Object.defineProperty({}, name, { value, enumerable: true })),
    ) as Record<string, unknown>;
  }

  metadata(name: string): Record<string, unknown> {
    const large = () => 'x'.repeat(this.chance(0.1) ? 200_000 : 20);
    return {
      name,
      ...(this.chance(0.2) && { annotations: { 'example.com/a': large(), [this.one(traps)]: this.one(traps) } }),
      ...(this.chance(0.2) && { labels: { app: 'x', 'example.com/b': 'y' } }),
      ...(this.chance(0.1) && { finalizers: ['example.com/never'] }),
      ...(this.chance(0.05) && {
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: 'none' }],
      }),
    };
  }
}
