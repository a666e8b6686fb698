import type { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { WebApp } from '../examples/webapp/src/webapp.ts';

/**
 * The definition of WebApps in the one version the operators speak. Its conversions would need a Service in front of the
 * processes, which nobody has here: faults of webhooks are not among those of this command.
 */
export function webappDefinition(): CustomResourceDefinition {
  const whole = WebApp.manifest({ conversion: { service: { namespace: 'default', name: 'none' } } });
  const versions = whole.spec.versions.filter(({ storage }) => storage);
  return { ...whole, spec: { ...whole.spec, versions, conversion: { strategy: 'None' } } };
}
