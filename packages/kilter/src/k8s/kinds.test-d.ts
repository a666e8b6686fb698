import { describe, expectTypeOf, test } from 'vitest';
import type { Condition, FieldPath, FieldsOf, Json, Kind, KubeObject } from '../api/index.ts';
import { CustomResourceDefinition, type JSONSchemaProps } from './apiextensions/v1.ts';
import { ControllerRevision, Deployment, StatefulSet } from './apps/v1.ts';
import { SelfSubjectAccessReview } from './authorization/v1.ts';
import type { HorizontalPodAutoscaler as OldAutoscaler, Scale } from './autoscaling/v1.ts';
import type { HorizontalPodAutoscaler } from './autoscaling/v2.ts';
import { Lease } from './coordination/v1.ts';
import { type Container, ConfigMap, Namespace, Pod, Secret, Service } from './core/v1.ts';
import { Event } from './events/v1.ts';
import type { IntOrString, LabelSelector, ObjectMeta, Quantity, Time } from './meta/v1.ts';
import type { Ingress } from './networking/v1.ts';
import { Eviction, type PodDisruptionBudget } from './policy/v1.ts';
import { ClusterRoleBinding, type PolicyRule, Role } from './rbac/v1.ts';
import type { DeviceClass } from './resource/v1.ts';
import type { DeviceClass as BetaDeviceClass } from './resource/v1beta1.ts';
import { type CSINode, type CSINodeDriver, StorageClass } from './storage/v1.ts';

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

  test('type and kind are one name, and every kind is a Kind of its objects', () => {
    expectTypeOf<typeof Role>().toExtend<Kind<Role>>();
    expectTypeOf<Role>().toExtend<KubeObject>();
    expectTypeOf(Role.prototype).toEqualTypeOf<Role>();
    expectTypeOf<Role['apiVersion']>().toEqualTypeOf<'rbac.authorization.k8s.io/v1'>();
    expectTypeOf<HorizontalPodAutoscaler['apiVersion']>().toEqualTypeOf<'autoscaling/v2'>();
    expectTypeOf<OldAutoscaler['apiVersion']>().toEqualTypeOf<'autoscaling/v1'>();
    expectTypeOf<DeviceClass['apiVersion']>().toEqualTypeOf<'resource.k8s.io/v1'>();
    expectTypeOf<BetaDeviceClass['apiVersion']>().toEqualTypeOf<'resource.k8s.io/v1beta1'>();
  });

  test('objects without a spec are built from their own fields', () => {
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
    expectTypeOf(Role.build({ name: 'r', namespace: 'n', rules })).toEqualTypeOf<Role>();
    expectTypeOf<Role['rules']>().toEqualTypeOf<PolicyRule[] | undefined>();
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' };
    ClusterRoleBinding.build({ name: 'b', roleRef, subjects: [{ kind: 'User', name: 'u' }] });
    StorageClass.build({ name: 's', provisioner: 'p', parameters: { a: 'b' } });
    Role.fields({ name: 'r', rules: [{ verbs: ['get'] }] });
    // @ts-expect-error a rule has verbs
    Role.build({ name: 'r', rules: [{ resources: ['pods'] }] });
    // @ts-expect-error the role is missing
    ClusterRoleBinding.build({ name: 'b' });
    // @ts-expect-error there is no spec
    Role.build({ name: 'r', spec: {} });
    // @ts-expect-error a provisioner is needed
    StorageClass.build({ name: 's' });
    // @ts-expect-error every object has a name
    Role.build({ rules: [] });
  });

  test('scalars have names that say what they are', () => {
    expectTypeOf<Quantity>().toEqualTypeOf<string>();
    expectTypeOf<Time>().toEqualTypeOf<string>();
    expectTypeOf<IntOrString>().toEqualTypeOf<number | string>();
    expectTypeOf<NonNullable<PodDisruptionBudget['spec']>['minAvailable']>().toEqualTypeOf<IntOrString | undefined>();
    expectTypeOf<NonNullable<PodDisruptionBudget['spec']>['selector']>().toEqualTypeOf<LabelSelector | undefined>();
    expectTypeOf<NonNullable<PodDisruptionBudget['status']>['conditions']>().toEqualTypeOf<Condition[] | undefined>();
    expectTypeOf<Pod['metadata']>().toEqualTypeOf<ObjectMeta>();
    const limits = { cpu: '500m', memory: '1Gi' };
    expectTypeOf<NonNullable<Container['resources']>['limits']>().toEqualTypeOf<Record<string, string> | undefined>();
    Pod.build({ name: 'p', spec: { containers: [{ name: 'c', resources: { limits } }] } });
    // @ts-expect-error quantities are text
    Pod.build({ name: 'p', spec: { containers: [{ name: 'c', resources: { limits: { cpu: 1 } } }] } });
    // @ts-expect-error a port is a number or a name
    Service.build({ name: 's', spec: { ports: [{ port: 80, targetPort: true }] } });
  });

  test('templates need no name, and what they are need not be said', () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c' }] } };
    const selector = { matchLabels: { a: 'b' } };
    const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } };
    const set = StatefulSet.build({ name: 's', spec: { selector, template, volumeClaimTemplates: [claim] } });
    expectTypeOf(set.spec?.volumeClaimTemplates?.[0]?.metadata?.name).toEqualTypeOf<string | undefined>();
    StatefulSet.build({
      name: 's',
      // @ts-expect-error a claim is not a Secret
      spec: { selector, template, volumeClaimTemplates: [{ ...claim, kind: 'Secret' }] },
    });
  });

  test('known values are offered, and others are taken: servers grow', () => {
    type Policy = NonNullable<Container['imagePullPolicy']>;
    expectTypeOf<'Always'>().toExtend<Policy>();
    expectTypeOf<string>().toExtend<Policy>();
    expectTypeOf<Policy>().toExtend<string>();
    const spec = { containers: [{ name: 'c', imagePullPolicy: 'Someday' }] };
    expectTypeOf(Pod.build({ name: 'p', spec })).toEqualTypeOf<Pod>();
    // @ts-expect-error a policy is text
    Pod.build({ name: 'p', spec: { containers: [{ name: 'c', imagePullPolicy: 1 }] } });
  });

  test('lists that the API calls required are lists; null is typed where it arrives', () => {
    expectTypeOf<CSINode['spec']['drivers']>().toEqualTypeOf<CSINodeDriver[]>();
    expectTypeOf<Event['eventTime']>().toEqualTypeOf<string | null>();
  });

  test('any data stays any data', () => {
    expectTypeOf<NonNullable<ControllerRevision['data']>>().toEqualTypeOf<{ [key: string]: Json }>();
    ControllerRevision.build({ name: 'r', revision: 1, data: { a: [1, { b: null }] } });
    // @ts-expect-error a revision has a number
    ControllerRevision.build({ name: 'r', data: {} });
  });

  test('schemas of custom resources nest', () => {
    const schema: JSONSchemaProps = { type: 'object', properties: { a: { items: { type: 'string' }, default: [1] } } };
    const names = { kind: 'Thing', plural: 'things' };
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
    const spec = { group: 'example.com', names, scope: 'Namespaced', versions: [version] };
    expectTypeOf(CustomResourceDefinition.build({ name: 'things.example.com', spec }).spec.versions).toBeArray();
    // @ts-expect-error a definition has a spec
    CustomResourceDefinition.build({ name: 'things.example.com' });
    const wrong: JSONSchemaProps = {
      // @ts-expect-error 'x-kubernetes-int-or-string' is yes or no
      'x-kubernetes-int-or-string': 'yes',
    };
    expectTypeOf(wrong).toEqualTypeOf<JSONSchemaProps>();
  });

  test('paths through lists and maps of any kind', () => {
    const at = <P extends string>(path: FieldPath<Ingress, P>): string => path;
    at('spec.rules[0].http.paths[0].backend.service.port.number');
    at('status.loadBalancer.ingress[0].hostname');
    // @ts-expect-error no such field
    at('spec.rules[0].https');
  });
});

describe('kinds that are only sent', () => {
  test('are built without a name and are not kinds to read or watch', () => {
    const review = SelfSubjectAccessReview.build({ spec: { resourceAttributes: { verb: 'get' } } });
    expectTypeOf(review).toEqualTypeOf<SelfSubjectAccessReview>();
    expectTypeOf(review.status?.allowed).toEqualTypeOf<boolean | undefined>();
    expectTypeOf<typeof SelfSubjectAccessReview>().not.toExtend<Kind>();
    // @ts-expect-error a review asks something
    SelfSubjectAccessReview.build({});
    // @ts-expect-error it is the server's answer
    SelfSubjectAccessReview.build({ spec: {}, status: { allowed: true } });
    expectTypeOf(Eviction.build({ name: 'p', namespace: 'n' })).toEqualTypeOf<Eviction>();
    expectTypeOf<NonNullable<Scale['spec']>['replicas']>().toEqualTypeOf<number | undefined>();
  });
});
