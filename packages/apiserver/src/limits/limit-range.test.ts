import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { claimRefusal, podRefusal, withDefaults } from './limit-range.ts';

const range = (...limits: JsonObject[]): JsonObject => ({ spec: { limits } });
const pod = (resources: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: {},
  spec: { containers: [{ name: 'c', resources }], ...more },
});
const note = 'kubernetes.io/limit-ranger';

describe('API-A8: a LimitRange fills in', () => {
  const defaults = range(
    { type: 'Container', default: { cpu: '2', memory: '1Gi' }, defaultRequest: { cpu: '1' } },
    { type: 'Pod', max: { cpu: '9' } },
  );

  test('what containers do not say, and tells so', () => {
    const given = pod({ limits: { cpu: '3' } }, { initContainers: [{ name: 'i' }] });
    const before = structuredClone(given);
    expect(withDefaults(given, [defaults])).toEqual({
      metadata: {
        annotations: {
          [note]:
            'LimitRanger plugin set: cpu request for container c; memory limit for container c; ' +
            'cpu request for init container i; cpu, memory limit for init container i',
        },
      },
      spec: {
        containers: [{ name: 'c', resources: { requests: { cpu: '1' }, limits: { cpu: '3', memory: '1Gi' } } }],
        initContainers: [{ name: 'i', resources: { requests: { cpu: '1' }, limits: { cpu: '2', memory: '1Gi' } } }],
      },
    });
    expect(given).toEqual(before);
  });

  test('nothing where all is said', () => {
    const said = pod({ requests: { cpu: '1' }, limits: { cpu: '1', memory: '1' } });
    expect(withDefaults(said, [defaults])).toBeUndefined();
  });
});

describe('API-A8: a LimitRange refuses', () => {
  const container = (bounds: JsonObject): JsonObject => range({ type: 'Container', ...bounds });

  test.each([
    [{ min: { cpu: '1' } }, {}, 'minimum cpu usage per Container is 1.  No request is specified'],
    [{ min: { cpu: '1' } }, { requests: { cpu: '999m' } }, 'minimum cpu usage per Container is 1, but request is 999m'],
    [
      { min: { cpu: '1' } },
      { requests: { cpu: '1' }, limits: { cpu: '0' } },
      'minimum cpu usage per Container is 1, but limit is 0',
    ],
    [{ min: { cpu: '1' } }, { requests: { cpu: '1' } }, undefined],
    [{ max: { cpu: '1' } }, { requests: { cpu: '1' } }, 'maximum cpu usage per Container is 1.  No limit is specified'],
    [{ max: { cpu: '1' } }, { limits: { cpu: '1001m' } }, 'maximum cpu usage per Container is 1, but limit is 1001m'],
    [
      { max: { cpu: '1' } },
      { requests: { cpu: '2' }, limits: { cpu: '1' } },
      'maximum cpu usage per Container is 1, but request is 2',
    ],
    [{ max: { cpu: '1' } }, { limits: { cpu: '1' } }, undefined],
    [
      { maxLimitRequestRatio: { cpu: '1500m' } },
      { requests: { cpu: '1' }, limits: { cpu: '2' } },
      'cpu max limit to request ratio per Container is 1500m, but provided ratio is 2.000000',
    ],
    [{ maxLimitRequestRatio: { cpu: '2' } }, { requests: { cpu: '1' }, limits: { cpu: '2' } }, undefined],
    [
      { maxLimitRequestRatio: { cpu: '2' } },
      { limits: { cpu: '2' } },
      'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
    ],
    [
      { maxLimitRequestRatio: { cpu: '2' } },
      { requests: { cpu: '2' } },
      'cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0',
    ],
  ])('by %j a container with %j: %s', (bounds, resources, expected) => {
    expect(podRefusal(pod(resources), container(bounds))).toBe(expected);
  });

  test('with all it has against a pod, each once', () => {
    const two = { spec: { containers: [{ name: 'a' }, { name: 'b' }], initContainers: [{ name: 'i' }] } };
    expect(podRefusal(two, container({ min: { cpu: '1' }, max: { cpu: '2' } }))).toBe(
      '[minimum cpu usage per Container is 1.  No request is specified, maximum cpu usage per Container is 2.  No limit is specified]',
    );
  });

  test('a pod by the sum of its containers, and by what it says of itself', () => {
    const most = range({ type: 'Pod', max: { cpu: '1' } });
    const one = pod({ limits: { cpu: '600m' } }, { overhead: { cpu: '5' } });
    expect(podRefusal(one, most)).toBeUndefined();
    const sidecar = { name: 'i', restartPolicy: 'Always', resources: { limits: { cpu: '500m' } } };
    expect(podRefusal(pod({ limits: { cpu: '600m' } }, { initContainers: [sidecar] }), most)).toBe(
      'maximum cpu usage per Pod is 1, but limit is 1100m',
    );
    expect(podRefusal(pod({ limits: { cpu: '600m' } }, { resources: { limits: { cpu: '3' } } }), most)).toBe(
      'maximum cpu usage per Pod is 1, but limit is 3',
    );
  });

  test('a claim by what it requests', () => {
    const claims = range({ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } });
    const claim = (storage: string): JsonObject => ({ spec: { resources: { requests: { storage } } } });
    const per = 'storage usage per PersistentVolumeClaim is';
    expect(claimRefusal(claim('1Gi'), claims)).toBeUndefined();
    expect(claimRefusal(claim('1'), claims)).toBe(`minimum ${per} 1Gi, but request is 1`);
    expect(claimRefusal(claim('3Gi'), claims)).toBe(`maximum ${per} 2Gi, but request is 3Gi`);
    expect(claimRefusal({ spec: {} }, claims)).toBe(
      `[minimum ${per} 1Gi.  No request is specified, maximum ${per} 2Gi.  No request is specified]`,
    );
  });
});
