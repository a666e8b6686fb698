import type { JsonObject } from 'kilter/api';
import type { User } from '../auth/index.ts';
import type { Registry } from '../calls/index.ts';
import {
  type Access,
  type Decision,
  decide,
  type PolicyRule,
  RoleBook,
  type RoleRef,
  rulesFor,
  type RulesOfUser,
} from '../rbac/index.ts';

/** Who decides what users may do. */
export type AuthorizationMode = 'AlwaysAllow' | 'RBAC';

const group = 'rbac.authorization.k8s.io';

/** Decides what a user may do, by the roles and bindings stored at that moment. */
export class Authorizer {
  readonly mode: AuthorizationMode;
  /** Set once, by `attach`: whoever answers questions is there before the registry. */
  #registry: Registry | undefined;
  /** Read when first asked for after a change of a role or a binding. */
  #book: RoleBook | undefined;

  constructor(mode: AuthorizationMode) {
    this.mode = mode;
  }

  /** Where roles and bindings are stored. Ends with the registry. */
  attach(registry: Registry): void {
    this.#registry = registry;
    registry.onChange(({ resource }) => {
      if (resource.group === group) this.forget();
    });
  }

  /** Everything may have changed. */
  forget(): void {
    this.#book = undefined;
  }

  decide(user: User, access: Access): Decision {
    if (this.mode === 'AlwaysAllow') return { allowed: true, reason: '' };
    return decide(this.#roles(), user, access);
  }

  rulesFor(user: User, namespace: string): RulesOfUser {
    if (this.mode === 'RBAC') return rulesFor(this.#roles(), user, namespace);
    const rules: PolicyRule[] = [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ];
    return { rules, missing: [] };
  }

  rulesOf(role: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#roles().rulesOf(role, namespace);
  }

  #roles(): RoleBook {
    const read = (plural: string): JsonObject[] => {
      const resource = this.#registry?.find(group, 'v1', plural);
      return (resource && this.#registry?.peek(resource)) ?? [];
    };
    this.#book ??= new RoleBook({
      roles: read('roles'),
      clusterRoles: read('clusterroles'),
      roleBindings: read('rolebindings'),
      clusterRoleBindings: read('clusterrolebindings'),
    });
    return this.#book;
  }
}
