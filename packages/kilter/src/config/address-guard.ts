import { BlockList, isIP } from 'node:net';
import type { Environment } from './environment.ts';

const local = new BlockList();
local.addSubnet('127.0.0.0', 8, 'ipv4');
local.addSubnet('0.0.0.0', 8, 'ipv4');
local.addSubnet('169.254.0.0', 16, 'ipv4');
local.addAddress('::1', 'ipv6');
local.addAddress('::', 'ipv6');
local.addSubnet('fe80::', 10, 'ipv6');
// Where clouds serve the credentials of a machine.
local.addAddress('fd00:ec2::254', 'ipv6');

/** Why an address is not for strangers; undefined where it is not an address, or is one like any other. */
export type AddressGuard = (address: string) => string | undefined;

/** Refuses what only this machine, its cloud or its own cluster should reach. */
export function forbiddenAddress(env: Environment): AddressGuard {
  const ownCluster = env.KUBERNETES_SERVICE_HOST;
  return (address) => {
    if (address === 'localhost' || address.endsWith('.localhost')) return 'it is this machine';
    if (ownCluster !== undefined && ownCluster !== '' && address === ownCluster)
      return "it is the operator's own cluster";
    const version = isIP(address);
    if (version === 0) return undefined;
    return local.check(address, version === 4 ? 'ipv4' : 'ipv6') ? 'it is loopback or link-local' : undefined;
  };
}
