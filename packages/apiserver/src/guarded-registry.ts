// The registry with those who guard it: who users are, what they may do, who else is asked about changes.
import type { Runtime } from 'kilter/runtime';
import { AccountTokens, answeringResources, Authorizer, escalationCheck, signerCheck } from './access/index.ts';
import { admissionOf } from './admission-steps.ts';
import { TokenIssuer } from './auth/index.ts';
import { builtinResources } from './kinds/index.ts';
import { withPolicyRules } from './policies/index.ts';
import { createRegistry, type ServerRegistry } from './registry/index.ts';
import type { ApiServerOptions } from './server-interface.ts';
import { Users } from './users.ts';

export interface GuardedRegistry {
  readonly registry: ServerRegistry;
  readonly users: Users;
  readonly authorizer: Authorizer;
  readonly issuer: TokenIssuer;
}

export function guardedRegistry(options: ApiServerOptions, runtime: Runtime): GuardedRegistry {
  const { clock } = runtime;
  const random = (): number => runtime.random();
  const issuer = new TokenIssuer(options.accountTokens);
  const tokens = new AccountTokens({ issuer, now: () => clock.now(), uuid: () => runtime.uuid() });
  const users = new Users(runtime, tokens, options.users);
  const authorizer = new Authorizer(options.authorization ?? 'AlwaysAllow');
  const { admission, ...asked } = admissionOf({ clock, random, services: options.services, registry: () => registry });
  const registry: ServerRegistry = createRegistry({
    clock,
    random,
    resources: answeringResources(withPolicyRules(builtinResources()), { authorizer, tokens, judge: users.judge }),
    ...asked,
    serviceRange: options.serviceRange,
    authority: (user, access) => authorizer.decide(user, access),
    // After whoever may still change a role: what is stored is what must not be more than its writer has.
    admission: [signerCheck(authorizer), ...admission, escalationCheck(authorizer)],
    aggregatedRoles: options.controllers?.gc ?? true,
  });
  authorizer.attach(registry);
  tokens.attach(registry);
  return { registry, users, authorizer, issuer };
}
