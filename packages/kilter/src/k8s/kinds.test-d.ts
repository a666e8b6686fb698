import { describe, expectTypeOf, test } from 'vitest';
import type { FieldPath, FieldsOf } from '../api/index.ts';
import { Deployment } from './apps/v1.ts';
import { Lease } from './coordination/v1.ts';
import { type Container, ConfigMap, Namespace, Pod, Secret, Service } from './core/v1.ts';
import { Event } from './events/v1.ts';

describe('built-in kinds', () => {
  test('build what they are called', () => {
    const labels = { app: 'x' };
    const deployment = Deployment.build({
      name: 'x',
      namespace: undefined,
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [{ name: 'app', image: 'a', env: [{ name: 'a', value: 'b' }], ports: [{ containerPort: 80 }] }],
          },
        },
      },
    });
    expectTypeOf(deployment).toEqualTypeOf<Deployment>();
    expectTypeOf(deployment.status?.availableReplicas).toEqualTypeOf<number | undefined>();
    expectTypeOf(Service.build({ name: 'x', spec: { ports: [{ port: 80 }] } })).toEqualTypeOf<Service>();
    expectTypeOf(Secret.build({ name: 'x', stringData: { a: 'b' } })).toEqualTypeOf<Secret>();
    expectTypeOf(ConfigMap.build({ name: 'x', data: { a: 'b' } }).data).toEqualTypeOf<
      Record<string, string> | undefined
    >();
    expectTypeOf(Namespace.build({ name: 'x' }).kind).toEqualTypeOf<'Namespace'>();
    expectTypeOf(
      Lease.build({ name: 'x', spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } }),
    ).toEqualTypeOf<Lease>();
    expectTypeOf(
      Event.build({ name: 'x', eventTime: '', reportingController: 'c' }).apiVersion,
    ).toEqualTypeOf<'events.k8s.io/v1'>();
    expectTypeOf<NonNullable<Pod['spec']>['containers']>().toEqualTypeOf<Container[]>();
  });

  test('fields are some of them', () => {
    expectTypeOf(Deployment.fields({ name: 'x', spec: { replicas: 3 } })).toEqualTypeOf<FieldsOf<Deployment>>();
    // @ts-expect-error no such field
    Deployment.fields({ name: 'x', spec: { replcas: 3 } });
  });

  test('refuse what they do not know', () => {
    // @ts-expect-error selector and template are missing
    Deployment.build({ name: 'x', spec: { replicas: 3 } });
    // @ts-expect-error a port has a number
    Service.build({ name: 'x', spec: { ports: [{ name: 'http' }] } });
    // @ts-expect-error no such field
    ConfigMap.build({ name: 'x', dta: {} });
    // @ts-expect-error the status is the server's
    Pod.build({ name: 'x', status: {} });
  });

  test('paths reach to the bottom', () => {
    const at = <P extends string>(path: FieldPath<Deployment, P>): string => path;
    at('spec.template.spec.containers[0].env[1].valueFrom.secretKeyRef.name');
    at('spec.template.metadata.labels[app]');
    // @ts-expect-error no such field
    at('spec.template.spec.containers[0].env[1].valueFrom.secretRef.name');
  });
});
