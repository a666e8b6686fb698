import type { Case } from '../../src/case.ts';
import { claim, configMaps, define, get, post, things, thingsPath } from '../../src/steps.ts';

const secrets = '/api/v1/namespaces/{{ns}}/secrets';
const mebibyte = 1_048_576;
const text = (content: string): { text: string } => ({ text: content });
const configMapOf = (name: string, bytes: number): { text: string } =>
  text(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{"k":"{{times:${bytes}::a}}"}}`);

export const limits: readonly Case[] = [
  {
    id: 'm1-body',
    section: 'workloads-limits',
    shows: ['API-M1', 'API-E8'],
    title: 'a body may have 3,145,728 bytes',
    steps: [
      post('too-large', configMaps, configMapOf('x', 3_145_728)),
      post('large', `${configMaps}?dryRun=All`, configMapOf('x', 3_145_000)),
    ],
    claims: [
      claim('413', 'too-large.status', { is: 413 }),
      claim('the message', 'too-large.body.message', { is: 'Request entity too large: limit is 3145728' }),
      claim('below that it is another limit that speaks', 'large.status', { is: 422 }),
    ],
  },
  {
    id: 'm1-stored-object',
    section: 'workloads-limits',
    shows: ['API-M1'],
    title: 'a stored object may have about 1.5 MiB',
    steps: [
      ...define('crd', things({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })),
      post(
        'too-large',
        thingsPath,
        text(
          `{"apiVersion":"{{group}}/v1","kind":"Thing","metadata":{"name":"x"},"spec":{"k":"{{times:1700000::a}}"}}`,
        ),
      ),
      post(
        'large',
        thingsPath,
        text(
          `{"apiVersion":"{{group}}/v1","kind":"Thing","metadata":{"name":"x"},"spec":{"k":"{{times:1400000::a}}"}}`,
        ),
      ),
      get('not-stored', `${thingsPath}/y`),
    ],
    claims: [
      claim('500', 'too-large.status', { is: 500 }),
      claim('the message', 'too-large.body.message', { is: 'etcdserver: request is too large' }),
      claim('a bit less is stored', 'large.status', { is: 201 }),
    ],
  },
  {
    id: 'm1-data',
    section: 'workloads-limits',
    shows: ['API-M1'],
    title: 'the data of a ConfigMap or a Secret may have 1 MiB',
    steps: [
      post('config', configMaps, configMapOf('x', mebibyte + 1)),
      post('config-fits', configMaps, configMapOf('y', mebibyte)),
      post(
        'secret',
        secrets,
        text(
          `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"x"},"stringData":{"k":"{{times:${mebibyte + 1}::a}}"}}`,
        ),
      ),
      post(
        'secret-fits',
        secrets,
        text(
          `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"y"},"stringData":{"k":"{{times:${mebibyte}::a}}"}}`,
        ),
      ),
    ],
    claims: [
      claim('a ConfigMap: 422', 'config.status', { is: 422 }),
      claim('its message', 'config.body.message', { matches: 'Too long: may not be more than 1048576 bytes' }),
      claim('1 MiB fits', 'config-fits.status', { is: 201 }),
      claim('a Secret: 422', 'secret.status', { is: 422 }),
      claim('its message', 'secret.body.message', { matches: 'Too long: may not be more than 1048576 bytes' }),
      claim('1 MiB fits', 'secret-fits.status', { is: 201 }),
    ],
  },
];
