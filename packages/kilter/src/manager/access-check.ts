import type { Permission } from '../api/index.ts';
import type { Client } from '../client/index.ts';
import { inWords, KilterError, type ResourceRule, ruleAsYaml } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import type { PolicyRule } from '../k8s/rbac/v1.ts';
import type { Logger } from '../telemetry/index.ts';
import { permissionRules, type Permissions } from './permissions.ts';

export interface AccessCheck {
  /** In the order they are asked about. */
  readonly permissions: readonly Permission[];
  readonly can: Client['can'];
  readonly clock: Clock;
  readonly logger: Logger;
}

// Whoever starts an operator without its rights is to know within 5 s, also from a server that is slow.
const patience = 4_500;
const atOnce = 8;

const isRead = ({ verb, names }: Permission): boolean => (verb === 'list' || verb === 'watch') && names === undefined;

/** One permission for each place and name, what must be read first: without that nothing runs at all. */
function questionsOf(permissions: readonly Permission[]): Permission[] {
  const single = permissions.flatMap((one) =>
    (one.namespaces ?? [undefined]).map(
      (namespace) => ({ ...one, namespaces: namespace && [namespace] }) as Permission,
    ),
  );
  const idOf = ({ group, resource, verb, names, namespaces }: Permission): string =>
    JSON.stringify([group, resource, verb, names, namespaces]);
  const distinct = [...new Map(single.map((one) => [idOf(one), one])).values()];
  return [...distinct.filter(isRead), ...distinct.filter((one) => !isRead(one))];
}

async function isAllowed(can: Client['can'], question: Permission, signal: AbortSignal): Promise<boolean> {
  const { group, verb, names, namespaces } = question;
  const [resource = '', subresource] = question.resource.split('/');
  const about = { verb, group, resource, subresource, namespace: namespaces?.[0], name: names?.[0] };
  return (await can(about, { signal })).allowed;
}

function linesOf(where: string, rules: readonly PolicyRule[]): string[] {
  return rules.length === 0 ? [] : [where, ...rules.map((rule) => ruleAsYaml(rule as ResourceRule))];
}

/** Rules as YAML, a line each, under the role they belong in. */
export function rulesText({ cluster, namespaces }: Permissions): string {
  return [
    ...linesOf('# in a ClusterRole', cluster),
    ...Object.entries(namespaces).flatMap(([name, rules]) => linesOf(`# in a Role of namespace ${name}`, rules)),
  ].join('\n');
}

interface Asked {
  readonly missing: readonly Permission[];
  /** How many nobody answered in time. */
  readonly open: number;
}

async function ask({ permissions, can, clock, logger }: AccessCheck, signal: AbortSignal): Promise<Asked> {
  const questions = questionsOf(permissions);
  const missing: Permission[] = [];
  const over = new AbortController();
  const timer = clock.timer(patience, () => over.abort(new Error('the access review took too long')));
  const limit = AbortSignal.any([signal, over.signal]);
  let next = 0;
  let answered = 0;
  const worker = async (): Promise<void> => {
    for (let question = questions[next++]; question !== undefined && !limit.aborted; question = questions[next++]) {
      const allowed = await isAllowed(can, question, limit);
      answered += 1;
      if (!allowed) missing.push(question);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, worker));
  } catch (error) {
    // A server without reviews, or one that does not answer: what is missing shows when it is refused.
    logger.debug({ error: inWords(error) }, 'the access review could not be completed');
    over.abort(new Error('given up'));
  } finally {
    timer.cancel();
  }
  return { missing, open: questions.length - answered };
}

/**
 * Asks the server, within 5 s, whether the operator may do what it declares. Rejects where something it must read is denied;
 * whatever else is denied is logged.
 */
export async function checkAccess(check: AccessCheck, signal: AbortSignal): Promise<void> {
  const { missing, open } = await ask(check, signal);
  if (missing.length === 0 || signal.aborted) return;
  const rules = rulesText(permissionRules(missing));
  if (missing.some(isRead)) {
    throw new KilterError('MANAGER_PERMISSIONS_MISSING', `the server denies what the operator declares:\n${rules}\n`);
  }
  check.logger.warn(
    { rules, ...(open > 0 && { open }) },
    'the server denies some of what the operator declares; grant the rules',
  );
}
