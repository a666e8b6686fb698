// Priority and fairness, and registered services: there, though nothing depends on them here.
import type { Case } from '../../src/case.ts';
import { claim, get, post, remove } from '../../src/steps.ts';

const flow = '/apis/flowcontrol.apiserver.k8s.io/v1';
const services = '/apis/apiregistration.k8s.io/v1/apiservices';
const ownStatus = {
  mask: ['body.metadata.managedFields', 'body.metadata.resourceVersion', 'body.status'],
  because: 'controllers write the status, and a server makes its first objects in no order',
};

export const flows: readonly Case[] = [
  {
    id: 'z7-listed',
    section: 'admission-identity',
    shows: ['API-Z7'],
    title: 'flow schemas, priority levels and services are there from the start, and can be written',
    steps: [
      get('schema', `${flow}/flowschemas/exempt`, ownStatus),
      get('catch-all', `${flow}/flowschemas/catch-all`, ownStatus),
      get('level', `${flow}/prioritylevelconfigurations/exempt`, ownStatus),
      get('service', `${services}/v1.apps`, ownStatus),
      get('core', `${services}/v1.`, ownStatus),
      post(
        'created',
        `${flow}/flowschemas`,
        {
          apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
          kind: 'FlowSchema',
          metadata: { name: '{{id}}' },
          spec: {
            priorityLevelConfiguration: { name: 'exempt' },
            matchingPrecedence: 9000,
            rules: [
              {
                subjects: [{ kind: 'User', user: { name: 'nobody' } }],
                nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/nothing'] }],
              },
            ],
          },
        },
        ownStatus,
      ),
      remove('gone', `${flow}/flowschemas/{{id}}`, { only: ['status'], because: 'it only tidies up' }),
    ],
    claims: [
      claim('a flow schema', 'schema.status', { is: 200 }),
      claim('a level', 'level.status', { is: 200 }),
      claim('a service', 'service.body.spec.group', { is: 'apps' }),
      claim('one of its own', 'created.status', { is: 201 }),
    ],
  },
];
