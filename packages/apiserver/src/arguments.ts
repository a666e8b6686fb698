import { parseArgs } from 'node:util';
import type { AuthorizationMode } from './access/index.ts';
import type { User } from './auth/index.ts';
import type { UsersByToken } from './users.ts';

/** What the command line asks for. */
export type Request =
  | { readonly act: 'help' }
  | { readonly act: 'refuse'; readonly message: string }
  | {
      readonly act: 'serve';
      readonly port: number;
      readonly kubeconfig: string;
      /** A file of users; undefined for none but the administrator. */
      readonly users: string | undefined;
      /** Where the state is kept between runs; undefined for nowhere. */
      readonly snapshot: string | undefined;
      readonly authorization: AuthorizationMode;
      readonly workloads: boolean;
      readonly nodes: number;
    };

export const help = `Usage: npx @kilter/apiserver [flags]

A Kubernetes API server on loopback, with a store in memory. It serves until it is interrupted.

  --port N                   the port to listen on; default: a free one
  --kubeconfig FILE          where to write the kubeconfig; default: .kilter/apiserver/kubeconfig
  --users FILE               more users, one per line: token,name,uid,"group1,group2"
  --authorization-mode MODE  who decides what users may do, AlwaysAllow or RBAC; default: AlwaysAllow
  --snapshot FILE            the server's state: read at start if the file exists, written when the server is interrupted
  --no-workloads             no workload controllers and no nodes: Deployments and Pods stay as they are written
  --nodes N                  the number of nodes; default: 1
  --help                     print this text
`;

const refuse = (message: string): Request => ({
  act: 'refuse',
  message: `${message}\n\`npx @kilter/apiserver --help\` lists the flags.`,
});

const modes: readonly AuthorizationMode[] = ['AlwaysAllow', 'RBAC'];
const maxPort = 65_535;
const maxNodes = 1000;

/** A whole number in a range; undefined for anything else. */
function wholeNumber(text: string, most: number): number | undefined {
  return /^\d{1,6}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}

const flags = {
  port: { type: 'string' },
  kubeconfig: { type: 'string' },
  users: { type: 'string' },
  'authorization-mode': { type: 'string' },
  snapshot: { type: 'string' },
  workloads: { type: 'boolean' },
  nodes: { type: 'string' },
  help: { type: 'boolean' },
} as const;

export function parseArguments(args: readonly string[]): Request {
  let values;
  try {
    ({ values } = parseArgs({ args: [...args], options: flags, allowNegative: true }));
  } catch (error) {
    return refuse(error instanceof Error ? (error.message.split('. ', 1)[0] ?? '') : String(error));
  }
  if (values.help === true) return { act: 'help' };
  const port = wholeNumber(values.port ?? '0', maxPort);
  if (port === undefined) return refuse(`--port ${values.port} is not a port: give a number from 0 to ${maxPort}`);
  const nodes = wholeNumber(values.nodes ?? '1', maxNodes);
  if (nodes === undefined) return refuse(`--nodes ${values.nodes}: give a number from 0 to ${maxNodes}`);
  const workloads = values.workloads ?? true;
  if (!workloads && values.nodes !== undefined)
    return refuse('--nodes has no effect with --no-workloads: leave one out');
  const kubeconfig = values.kubeconfig ?? '.kilter/apiserver/kubeconfig';
  const { users, snapshot } = values;
  const [nameless] = Object.entries({ kubeconfig, users, snapshot }).find(([, file]) => file === '') ?? [];
  if (nameless !== undefined) return refuse(`--${nameless} needs the name of a file`);
  const authorization = modes.find((mode) => mode === (values['authorization-mode'] ?? 'AlwaysAllow'));
  if (authorization === undefined)
    return refuse(`--authorization-mode ${values['authorization-mode']}: give one of ${modes.join(', ')}`);
  return { act: 'serve', port, kubeconfig, users, snapshot, authorization, workloads, nodes };
}

const userLine = /^([^,\s]+),([^,]+),([^,]*)(?:,(?:"([^"]*)"|([^",]+)))?$/;

/** The users of a file in the form kube-apiserver's --token-auth-file has, or what is wrong with it. */
export function parseUsers(text: string): UsersByToken | { readonly problem: string } {
  const users: [string, User][] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, token, name, uid, quoted, single] = userLine.exec(line.trim()) ?? [];
    if (token === undefined || name === undefined) {
      return { problem: `line ${index + 1} is not token,name,uid,"group1,group2"` };
    }
    const groups = (quoted ?? single ?? '').split(',').filter((group) => group !== '');
    users.push([token, { name, groups, ...(uid !== '' && { uid }) }]);
  }
  return Object.fromEntries(users);
}
