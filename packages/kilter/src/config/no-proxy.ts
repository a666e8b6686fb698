import { BlockList, isIP } from 'node:net';

interface Target {
  readonly host: string;
  readonly port: string;
}
type Matcher = (target: Target) => boolean;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function within(list: BlockList, host: string): boolean {
  return isIP(host) !== 0 && list.check(host, familyOf(host));
}

function subnet(rule: string): Matcher | undefined {
  const [, address = '', bits = ''] = /^(.+)\/(\d{1,3})$/.exec(rule) ?? [];
  const family = isIP(address);
  if (family === 0 || Number(bits) > (family === 4 ? 32 : 128)) return undefined;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), familyOf(address));
  return ({ host }) => within(list, host);
}

/** `host`, `host:port`, `address`, `[address]:port`. */
function withPort(rule: string): Target {
  if (isIP(rule) !== 0) return { host: rule, port: '' };
  const [, bracketed, plain, port = ''] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(rule) ?? [];
  return { host: bracketed ?? plain ?? rule, port };
}

function address(rule: Target): Matcher {
  const list = new BlockList();
  list.addAddress(rule.host, familyOf(rule.host));
  return ({ host, port }) => within(list, host) && (rule.port === '' || rule.port === port);
}

/** `example.com` stands for itself and all below, `.example.com` and `*.example.com` for those below alone. */
function domain(rule: Target): Matcher {
  const name = rule.host.startsWith('*.') ? rule.host.slice(1) : rule.host;
  const suffix = name.startsWith('.') ? name : `.${name}`;
  return ({ host, port }) =>
    isIP(host) === 0 && (host.endsWith(suffix) || host === name) && (rule.port === '' || rule.port === port);
}

function matcher(rule: string): Matcher {
  if (rule === '*') return () => true;
  const network = subnet(rule);
  if (network !== undefined) return network;
  const target = withPort(rule);
  if (target.host === '') return () => false;
  return isIP(target.host) === 0 ? domain(target) : address(target);
}

/** Whether a server is reached without a proxy: this machine always, others by the rules of `NO_PROXY` as Go reads them. */
export function isExempt(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (host === 'localhost' || within(loopback, host)) return true;
  const target = { host, port: server.port || (server.protocol === 'http:' ? '80' : '443') };
  const rules = noProxy.split(',').map((rule) => rule.trim().toLowerCase());
  return rules.some((rule) => rule !== '' && matcher(rule)(target));
}
