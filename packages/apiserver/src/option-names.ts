import { optionMistakes, type OptionNames } from 'kilter/runtime';
import type { ApiServerOptions, ControllerOptions } from './server-interface.ts';
import type { ServeOptions } from './serving.ts';
import type { WorkloadOptions } from './workloads/index.ts';

const optionsOfServer: OptionNames<ApiServerOptions> = {
  runtime: true,
  controllers: true,
  users: true,
  authorization: true,
  snapshot: true,
  services: true,
  podLogs: true,
  podExec: true,
  podAttach: true,
  podForward: true,
  accountTokens: true,
  serviceRange: true,
  onRequest: true,
  onError: true,
};
const optionsOfControllers: OptionNames<ControllerOptions> = { gc: true, workloads: true };
const optionsOfWorkloads: OptionNames<WorkloadOptions> = { nodes: true, podTimes: true, podTimesOf: true };
const optionsOfListen: OptionNames<ServeOptions> = {
  plain: true,
  host: true,
  port: true,
  cert: true,
  key: true,
  clientCa: true,
  protocols: true,
  maxStreams: true,
  stalledMs: true,
  upgrades: true,
};

function check<O extends object>(what: string, given: O | undefined, known: OptionNames<O>): void {
  const [mistake] = given === undefined ? [] : optionMistakes(what, given, known);
  if (mistake !== undefined) throw new TypeError(mistake);
}

/** Returns the options; throws for those that do not exist: a misspelled `authorization` would leave a server on which everybody may do everything. */
export function checkServerOptions(options: ApiServerOptions): ApiServerOptions {
  check('apiServer', options, optionsOfServer);
  const { authorization = 'AlwaysAllow', controllers } = options;
  if (authorization !== 'AlwaysAllow' && authorization !== 'RBAC') {
    throw new TypeError(`authorization: ${String(authorization)} is not a mode; give AlwaysAllow or RBAC`);
  }
  check('controllers', controllers, optionsOfControllers);
  const work = controllers?.workloads;
  if (typeof work !== 'boolean') check('controllers.workloads', work, optionsOfWorkloads);
  return options;
}

/** Returns the options of `listen`; throws for those that do not exist. */
export function checkListenOptions(options: ServeOptions): ServeOptions {
  check('listen', options, optionsOfListen);
  return options;
}
