// Objects and addresses that cases of patches and applies share.
import type { Json } from '../../src/case.ts';

type Fields = { [key: string]: Json };

export const deployments = '/apis/apps/v1/namespaces/{{ns}}/deployments';
export const services = '/api/v1/namespaces/{{ns}}/services';
export const pods = '/api/v1/namespaces/{{ns}}/pods';

/** A Deployment of one container `app`, unless the pod spec says otherwise. */
export const deployment = (name: string, podSpec: Fields = {}, spec: Fields = {}): Fields => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    ...spec,
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'app', image: 'app:1' }], ...podSpec },
    },
  },
});

/** A patch of a Deployment's pod spec. */
export const podPatch = (podSpec: Json): Fields => ({ spec: { template: { spec: podSpec } } });

export const podSpecOf = (step: string): string => `${step}.body.spec.template.spec`;

export const service = (name: string, spec: Fields): Fields => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec,
});

/** Where an apply goes: `applied('/…/cm', 'm1')`, `applied('/…/cm', 'm1', 'force=true')`. */
export const applied = (path: string, manager: string, more = ''): string =>
  `${path}?fieldManager=${manager}${more === '' ? '' : `&${more}`}`;

/** The place of one entry of managedFields. */
export const entry = (step: string, index: number, field = ''): string =>
  `${step}.body.metadata.managedFields.${index}${field === '' ? '' : `.${field}`}`;

export const managersOf = (step: string): string => `${step}.body.metadata.managedFields`;

/** Conflicts with several managers come in the order of a Go map. */
export const anyCauses = {
  unordered: ['body.details.causes'],
  because: 'causes of several managers come in the order of a Go map',
} as const;
