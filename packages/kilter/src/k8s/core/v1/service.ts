// A stable address for pods.
import type { Condition } from '../../../api/index.ts';

export interface ServiceSpec {
  allocateLoadBalancerNodePorts?: boolean | undefined;
  clusterIP?: string | undefined;
  clusterIPs?: string[] | undefined;
  externalIPs?: string[] | undefined;
  externalName?: string | undefined;
  externalTrafficPolicy?: string | undefined;
  healthCheckNodePort?: number | undefined;
  internalTrafficPolicy?: string | undefined;
  ipFamilies?: string[] | undefined;
  ipFamilyPolicy?: string | undefined;
  loadBalancerClass?: string | undefined;
  loadBalancerIP?: string | undefined;
  loadBalancerSourceRanges?: string[] | undefined;
  ports?: ServicePort[] | undefined;
  publishNotReadyAddresses?: boolean | undefined;
  selector?: Record<string, string> | undefined;
  sessionAffinity?: string | undefined;
  sessionAffinityConfig?: SessionAffinityConfig | undefined;
  trafficDistribution?: string | undefined;
  type?: string | undefined;
}

export interface ServicePort {
  appProtocol?: string | undefined;
  name?: string | undefined;
  nodePort?: number | undefined;
  port: number;
  protocol?: string | undefined;
  targetPort?: number | string | undefined;
}

export interface SessionAffinityConfig {
  clientIP?: ClientIPConfig | undefined;
}

export interface ClientIPConfig {
  timeoutSeconds?: number | undefined;
}

export interface ServiceStatus {
  conditions?: Condition[] | undefined;
  loadBalancer?: LoadBalancerStatus | undefined;
}

export interface LoadBalancerStatus {
  ingress?: LoadBalancerIngress[] | undefined;
}

export interface LoadBalancerIngress {
  hostname?: string | undefined;
  ip?: string | undefined;
  ipMode?: string | undefined;
  ports?: PortStatus[] | undefined;
}

export interface PortStatus {
  error?: string | undefined;
  port: number;
  protocol: string;
}
