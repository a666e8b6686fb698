// What is done to a container while it lives: probes, and what runs after its start and before its end.
import type { Json, JsonObject } from 'kilter/api';
import { forbiddenField, invalidValue, negative, outOfRange, required, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, textIn, textsOf } from '../values/index.ts';
import { portNameProblems } from './names.ts';

const ports = [1, 65_535] as const;
const schemes = ['HTTP', 'HTTPS'];
const headerFlaw =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

/** A number, or the name of a port; what is not there counts as 0. */
function portIssues(field: string, port: Json | undefined): Issue[] {
  if (typeof port !== 'string') return outOfRange(field, port ?? 0, ports);
  return portNameProblems(port).map((problem) => invalidValue(field, port, problem));
}

function httpGetIssues(get: JsonObject, path: string): Issue[] {
  const scheme = textIn(get, 'scheme');
  const names = objectsIn(get, 'httpHeaders').map((header) => textIn(header, 'name'));
  return [
    ...(textIn(get, 'path') === '' ? [required(`${path}.path`)] : []),
    ...portIssues(`${path}.port`, get['port']),
    ...(schemes.includes(scheme) ? [] : [unsupported(`${path}.scheme`, scheme, schemes)]),
    ...names
      .filter((name) => !/^[-A-Za-z0-9]+$/.test(name))
      .map((name) => invalidValue(`${path}.httpHeaders`, name, headerFlaw)),
  ];
}

type Action = (action: JsonObject, path: string, grace: number) => Issue[];

/** By the field that holds each, in the order the server looks for them. */
const actions: Readonly<Record<string, Action>> = {
  exec: (exec, path) => (textsOf(exec['command']).length === 0 ? [required(`${path}.command`)] : []),
  httpGet: httpGetIssues,
  tcpSocket: (socket, path) => portIssues(`${path}.port`, socket['port']),
  grpc: (grpc, path) => portIssues(`${path}.port`, grpc['port']),
  sleep: (sleep, path, grace) => {
    const seconds = Number(sleep['seconds'] ?? 0);
    const why = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
    return seconds < 0 || seconds > grace ? [invalidValue(path, seconds, why)] : [];
  },
};

/** Exactly one action; those after the first are not looked at. */
function handlerIssues(handler: JsonObject, path: string, grace: number): Issue[] {
  const given = Object.keys(actions).filter((name) => objectIfIn(handler, name) !== undefined);
  const [first, ...more] = given;
  if (first === undefined) return [required(path, 'must specify a handler type')];
  return [
    ...(actions[first]?.(objectIfIn(handler, first) ?? {}, `${path}.${first}`, grace) ?? []),
    ...more.map((name) => forbiddenField(`${path}.${name}`, 'may not specify more than 1 handler type')),
  ];
}

const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

function probeIssues(container: JsonObject, name: string, { path, grace }: ActionField): Issue[] {
  const probe = objectIfIn(container, name);
  if (probe === undefined) return [];
  const at = `${path}.${name}`;
  const { terminationGracePeriodSeconds: end, successThreshold } = probe;
  const last = `${at}.terminationGracePeriodSeconds`;
  const isReadiness = name === 'readinessProbe';
  return [
    ...handlerIssues(probe, at, grace),
    ...counts.flatMap((count) => negative(`${at}.${count}`, probe[count])),
    ...(end !== undefined && Number(end) <= 0 ? [invalidValue(last, end, 'must be greater than 0')] : []),
    ...(isReadiness && end !== undefined ? [invalidValue(last, end, 'must not be set for readinessProbes')] : []),
    ...(!isReadiness && successThreshold !== 1
      ? [invalidValue(`${at}.successThreshold`, successThreshold ?? 0, 'must be 1')]
      : []),
  ];
}

interface ActionField {
  readonly path: string;
  /** The seconds the Pod has to end. */
  readonly grace: number;
}

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'];

/** What is wrong with the probes and hooks of a container that runs as long as its Pod. */
export function actionIssues(container: JsonObject, place: ActionField): Issue[] {
  const lifecycle = objectIfIn(container, 'lifecycle') ?? {};
  const hooks = ['postStart', 'preStop'].flatMap((hook) => {
    const handler = objectIfIn(lifecycle, hook);
    return handler === undefined ? [] : handlerIssues(handler, `${place.path}.lifecycle.${hook}`, place.grace);
  });
  return [...hooks, ...probes.flatMap((probe) => probeIssues(container, probe, place))];
}

/** A container that ends before the others begin has none of them. */
export function initActionIssues(container: JsonObject, place: ActionField): Issue[] {
  if (container['restartPolicy'] === 'Always') return actionIssues(container, place);
  const why = 'may not be set for init containers without restartPolicy=Always';
  return ['lifecycle', ...probes].flatMap((field) =>
    objectIfIn(container, field) === undefined ? [] : [forbiddenField(`${place.path}.${field}`, why)],
  );
}
