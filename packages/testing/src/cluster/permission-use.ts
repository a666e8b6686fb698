// Whether operators asked for what they declare: nothing more, and all of it.
import type { Operator } from 'kilter';
import type { Permission } from 'kilter/api';
import type { Connection } from 'kilter/runtime';
import { type AskedRight, askedRight } from './asked-rights.ts';
import { withExchange } from './with-exchange.ts';

/** What operators declare, compared with what they requested from the server. Both lists are empty if the two agree. */
export interface PermissionUse {
  /** Requested, but not declared: `notes: create configmaps in namespace default`. */
  readonly missing: readonly string[];
  /**
   * Declared, but never requested, with what declares it. Permissions that are needed only occasionally (after a
   * conflict, by an admission plugin, for an Event) are omitted, because a test may never use them.
   */
  readonly unused: readonly string[];
}

/** One permission in one place. */
interface Declared extends Omit<Permission, 'namespaces'> {
  readonly namespace: string | undefined;
}

const textOf = ({ verb, group, resource, namespace }: Omit<AskedRight, 'name'>): string => {
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  return `${verb} ${group === '' ? resource : `${resource}.${group}`}${where}`;
};

const covers = (declared: Declared, asked: Omit<AskedRight, 'name'>): boolean =>
  declared.verb === asked.verb &&
  declared.group === asked.group &&
  declared.resource === asked.resource &&
  (declared.namespace === undefined || declared.namespace === asked.namespace);

const allows = (declared: Declared, asked: AskedRight): boolean =>
  covers(declared, asked) &&
  (declared.names === undefined || (asked.name !== undefined && declared.names.includes(asked.name)));

/** One for each place; what holds everywhere is not counted once more in single namespaces, as its rule is not granted there. */
function inPlaces(permissions: readonly Permission[]): Declared[] {
  const all = permissions.flatMap(({ namespaces, ...one }): Declared[] =>
    (namespaces ?? [undefined]).map((namespace) => ({ ...one, namespace })),
  );
  const everywhere = all.filter(({ namespace, names }) => namespace === undefined && names === undefined);
  return all.filter((one) => one.namespace === undefined || !everywhere.some((wider) => covers(wider, one)));
}

/** What one operator, in all its starts, declares and asks for. */
export class OperatorRequests {
  readonly #operator: string;
  readonly #declared: readonly Declared[];
  readonly #used = new Set<Declared>();
  /** As texts: as many as there are resources, not requests. */
  readonly #missing = new Set<string>();

  constructor(operator: Operator, { namespace }: { readonly namespace: string }) {
    this.#operator = operator.name;
    this.#declared = inPlaces(operator.needs({ namespace }));
  }

  /** The same connection, whose requests are compared with what is declared. */
  over(connection: Connection): Connection {
    return withExchange(connection, async (request) => {
      const asked = askedRight(request.method, request.path);
      if (asked === undefined) return connection.exchange(request);
      this.#note(asked);
      const response = await connection.exchange(request);
      // A patch that made the object: the server has asked about that as well.
      if (asked.verb === 'patch' && response.status === 201) this.#note({ ...asked, verb: 'create', name: undefined });
      return response;
    });
  }

  #note(asked: AskedRight): void {
    const allowing = this.#declared.filter((declared) => allows(declared, asked));
    for (const one of allowing) this.#used.add(one);
    if (allowing.length === 0) this.#missing.add(`${this.#operator}: ${textOf(asked)}`);
  }

  get use(): PermissionUse {
    // What several declare for different reasons is used by all of them; what one of them needs always is never occasional.
    const unused = this.#declared.filter((one) => one.occasional !== true && !this.#used.has(one));
    return {
      missing: [...this.#missing].toSorted(),
      unused: [...new Set(unused.map((one) => `${this.#operator}: ${textOf(one)}: ${one.why}`))].toSorted(),
    };
  }
}
