// The server's own record of what it accepted: its audit log, read from a named pipe as it is written.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { Reigns } from './reigns.ts';

interface AuditEvent {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { resource?: string; namespace?: string; name?: string; subresource?: string };
  readonly responseStatus?: { readonly code?: number };
  readonly responseObject?: {
    metadata?: { resourceVersion?: string };
    spec?: { holderIdentity?: string; acquireTime?: string };
  };
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}

// What WG-6 exempts: Events, questions about your own rights, and the Lease itself, which tells the terms.
const exempt = new Set(['events', 'selfsubjectaccessreviews']);

function take(reigns: Reigns, event: AuditEvent): void {
  const { verb, user, objectRef = {}, responseStatus, responseObject } = event;
  const code = responseStatus?.code ?? 0;
  const { resource = '', namespace = '', name = '', subresource } = objectRef;
  if (code < 200 || code >= 300 || exempt.has(resource)) return;
  // Certificates of webhooks belong to all replicas: whoever finds none creates them, leader or not.
  if (resource === 'secrets' && name.endsWith('-webhook-certificates')) return;
  const version = responseObject?.metadata?.resourceVersion;
  const of = subresource === undefined ? resource : `${resource}/${subresource}`;
  const write = {
    user: user.username,
    what: `${verb} ${of} ${namespace}/${name}`,
    received: Date.parse(event.requestReceivedTimestamp),
    answered: Date.parse(event.stageTimestamp),
    revision: version === undefined || !/^\d+$/.test(version) ? undefined : BigInt(version),
  };
  // The record of crashes is a guarded write as any other.
  if (resource !== 'leases' || name.endsWith('-crashes')) {
    reigns.write(write);
    return;
  }
  const { holderIdentity = '', acquireTime } = responseObject?.spec ?? {};
  const acquired = acquireTime === undefined ? write.received : Date.parse(acquireTime);
  reigns.lease({ ...write, holder: holderIdentity, acquired });
}

/** A line that is not whole: the server was killed while it wrote it. */
function parsed(line: string): AuditEvent | undefined {
  try {
    return JSON.parse(line) as AuditEvent;
  } catch {
    return undefined;
  }
}

export interface Audit extends Disposable {
  /** What the API server is to be started with. */
  readonly flags: readonly string[];
  readonly reigns: Reigns;
  /** Lines that could not be read: cut by the death of the server. */
  readonly torn: number;
}

/** Makes a named pipe in the folder and reads the audit log of these users from it. */
export function readAudit(folder: string, users: readonly string[]): Audit {
  const [pipe, policy] = [join(folder, 'audit'), join(folder, 'audit-policy.json')];
  const verbs = ['create', 'update', 'patch', 'delete', 'deletecollection'];
  const rules = [{ level: 'RequestResponse', users, verbs }, { level: 'None' }];
  const omit = { omitStages: ['RequestReceived', 'ResponseStarted'], omitManagedFields: true };
  writeFileSync(policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...omit, rules }));
  execFileSync('mkfifo', [pipe]);
  // Open for writing as well: the stream does not end when the server does.
  const file = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const socket = new Socket({ fd: file, readable: true, writable: false });
  const reigns = new Reigns();
  let torn = 0;
  let rest = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = parsed(line);
      if (event === undefined) torn += 1;
      else take(reigns, event);
    }
  });
  return {
    flags: [`--audit-policy-file=${policy}`, `--audit-log-path=${pipe}`, '--audit-log-maxsize=1000000'],
    reigns,
    get torn() {
      return torn;
    },
    [Symbol.dispose]: () => {
      socket.destroy();
      try {
        closeSync(file);
      } catch {
        // The socket has closed it.
      }
    },
  };
}
