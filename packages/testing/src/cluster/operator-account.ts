// Operators under test with their own identity: a ServiceAccount that may do what it is given, and nothing else.
import { type Client, type Operator, type Permissions, rbacManifests } from 'kilter';
import type { PolicyRule } from 'kilter/k8s/rbac/v1';

/** What an operator may do: what it declares (`derived`), rules that hold in all namespaces, or rules by namespace. */
export type OperatorRights = 'derived' | readonly PolicyRule[] | Partial<Permissions>;

// Longer than any test, be its time virtual.
const tokenSeconds = 400 * 24 * 3600;

function permissionsOf(rights: Exclude<OperatorRights, 'derived'>): Permissions {
  if (Array.isArray(rights)) return { cluster: rights as readonly PolicyRule[], namespaces: {} };
  const { cluster = [], namespaces = {} } = rights as Partial<Permissions>;
  return { cluster, namespaces };
}

/** Makes the account, its roles and their bindings, and answers a token of it. */
export async function operatorToken(client: Client, operator: Operator, given: AccountPlace): Promise<string> {
  const { namespace, rights } = given;
  // Of this namespace alone: on a cluster of others the roles of another run are not to be met.
  const name = `${operator.name}-${namespace}`;
  const permissions = rights === 'derived' ? operator.permissions({ namespace }) : permissionsOf(rights);
  const subject = { ...operator, name, permissions: () => permissions };
  // Not created: a second replica, and the next version of an operator, have the account of the first.
  for (const object of rbacManifests(subject, { namespace })) {
    await client.apply(object, { manager: 'kilter-testing', force: true });
  }
  const { token } = await client.token({ namespace, name }, { expirationSeconds: tokenSeconds });
  return token;
}

export interface AccountPlace {
  readonly namespace: string;
  readonly rights: OperatorRights;
}
