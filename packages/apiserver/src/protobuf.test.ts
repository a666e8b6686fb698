import { Buffer } from 'node:buffer';
import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { decodeMessage, encodeEnvelope, type Message, messageOf, openEnvelope } from './protobuf/index.ts';
import { configMap, paths, ServerUnderTest, webApp, webAppDefinition } from './server-under-test.test-support.ts';

const type = 'application/vnd.kubernetes.protobuf';
const wanted = { headers: { accept: type } };
const { configMaps, deployments, definitions } = paths;

const message = (apiVersion: string, kind: string): Message => messageOf(apiVersion, kind) as Message;

function body(object: JsonObject): Buffer {
  return encodeEnvelope(message(object['apiVersion'] as string, object['kind'] as string), object);
}

/** What an answer says, in the form JSON has. */
function said(bytes: Uint8Array): JsonObject {
  const { apiVersion, kind, raw } = openEnvelope(bytes);
  return { apiVersion, kind, ...decodeMessage(message(apiVersion, kind), raw) } as JsonObject;
}

/** An envelope around bytes that need not be a message. */
function envelope(apiVersion: string, kind: string, hex: string): Buffer {
  const around = encodeEnvelope(message('v1', 'ConfigMap'), { apiVersion, kind });
  const raw = Buffer.from(hex, 'hex');
  const head = around.subarray(0, around.indexOf(Buffer.from([0x12]), 4 + 2 + (around[5] ?? 0)));
  return Buffer.concat([head, Buffer.from([0x12, raw.length]), raw, Buffer.from([0x1a, 0, 0x22, 0])]);
}

describe('bodies', () => {
  test('API-B1: POST, PUT and options of a delete', async () => {
    await using api = new ServerUnderTest();
    const made = await api.ok(`POST ${configMaps}`, body(configMap('a', { data: { k: 'v' } })), { type });
    expect(made).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, data: { k: 'v' } });
    const changed = body(configMap('a', { data: { k: 'w' }, binaryData: { raw: 'AP8H' } }));
    expect(await api.ok(`PUT ${configMaps}/a`, changed, { type })).toMatchObject({ data: { k: 'w' } });
    const options = body({ apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'other' } });
    expect((await api.send(`DELETE ${configMaps}/a`, options, { type })).code).toBe(409);
    const fitting = body({ apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Orphan' });
    expect(await api.ok(`DELETE ${configMaps}/a`, fitting, { type })).toMatchObject({
      metadata: { finalizers: ['orphan'] },
    });
  });

  test('API-B1: what comes as protobuf is stored and owned as what comes as JSON', async () => {
    await using api = new ServerUnderTest();
    const deployment = (name: string): JsonObject => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'x' } },
        strategy: { rollingUpdate: { maxSurge: '30%', maxUnavailable: 0 } },
        template: {
          metadata: { labels: { app: 'x' } },
          spec: {
            containers: [
              { name: 'c', image: 'i', resources: { limits: { cpu: '1' } }, ports: [{ containerPort: 80 }] },
            ],
            volumes: [{ name: 'v', emptyDir: {} }],
          },
        },
      },
    });
    const plain = await api.ok(`POST ${deployments}`, deployment('a'));
    const packed = await api.ok(`POST ${deployments}`, body(deployment('b')), { type });
    const comparable = ({ metadata, ...rest }: JsonObject): JsonObject => {
      const { managedFields, generation } = metadata as JsonObject;
      return { ...rest, managedFields, generation } as JsonObject;
    };
    expect(comparable(packed)).toEqual(comparable(plain));
  });

  test('API-B1: what a scale of a custom resource is set to, and the options of its deletion, are messages; it is none', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${definitions}`, webAppDefinition());
    await api.ok(`POST ${paths.webApps}`, webApp('a', { spec: { image: 'i' } }));
    const three = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 3 } };
    expect(await api.ok(`PUT ${paths.webApps}/a/scale`, body(three), { type })).toMatchObject({
      spec: { replicas: 3 },
    });
    expect((await api.send(`POST ${paths.webApps}`, body(configMap('b')), { type })).code).toBe(415);
    const options = body({ apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Foreground' });
    const kept = await api.ok(`DELETE ${paths.webApps}/a`, options, { type });
    expect(kept).toMatchObject({ metadata: { finalizers: ['foregroundDeletion'] } });
  });

  const asConfigMap = 'cannot be handled as a ConfigMap';
  const unregistered = 'in scheme "pkg/runtime/scheme.go:111"';
  // As the real server answers.
  test.each([
    [Buffer.from('k8s\0'), 'the object provided is unrecognized (must be of type ConfigMap): empty body (6b387300)'],
    [envelope('v1', 'ConfigMap', 'ff'), `ConfigMap in version "v1" ${asConfigMap}: unexpected EOF`],
    [envelope('', '', 'ff'), `ConfigMap in version "v1" ${asConfigMap}: unexpected EOF`],
    [
      envelope('v1', 'Nope', 'ff'),
      `Nope in version "v1" ${asConfigMap}: no kind "Nope" is registered for version "v1" ${unregistered}`,
    ],
    [
      envelope('v1', 'PodSpec', 'ff'),
      `PodSpec in version "v1" ${asConfigMap}: no kind "PodSpec" is registered for version "v1" ${unregistered}`,
    ],
    [
      envelope('v1', 'ConfigMapList', ''),
      `ConfigMapList in version "v1" ${asConfigMap}: converting (v1.ConfigMapList) to (core.ConfigMap): unknown conversion`,
    ],
    [
      envelope('v1', 'ConfigMap', '0a030a0178120612020a00ff01'),
      `ConfigMap in version "v1" ${asConfigMap}: proto: illegal wireType 7`,
    ],
  ])('API-B1: malformed bodies are refused in the words of the real server (%#)', async (malformed, text) => {
    await using api = new ServerUnderTest();
    const { code, body: status } = await api.send(`POST ${configMaps}`, malformed, { type });
    expect([code, status['message']]).toEqual([400, text]);
  });

  test.each([
    [envelope('v1', 'DeleteOptions', 'ff'), 'unexpected EOF'],
    [Buffer.from('abc'), 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
    [envelope('v1', 'Pod', ''), `no kind "Pod" is registered for version "v1" ${unregistered}`],
  ])('API-B1: malformed options of a delete (%#)', async (malformed, text) => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${configMaps}`, configMap('a'));
    const { code, body: status } = await api.send(`DELETE ${configMaps}/a`, malformed, { type });
    expect([code, status['message']]).toEqual([400, text]);
    expect((await api.send(`GET ${configMaps}/a`)).code).toBe(200);
  });
});

describe('answers', () => {
  test('API-B2: objects, lists, metadata alone and refusals', async () => {
    await using api = new ServerUnderTest();
    const stored = await api.ok(`POST ${configMaps}`, configMap('a', { data: { k: 'v' } }));
    const one = await api.send(`GET ${configMaps}/a`, undefined, wanted);
    expect([one.headers['content-type'], said(one.bytes)]).toEqual([type, stored]);
    const list = await api.send(`GET ${configMaps}`, undefined, wanted);
    expect(said(list.bytes)).toMatchObject({ kind: 'ConfigMapList', items: [{ data: { k: 'v' } }] });
    const partial = { headers: { accept: `${type};as=PartialObjectMetadata;g=meta.k8s.io;v=v1` } };
    const metadata = said((await api.send(`GET ${configMaps}/a`, undefined, partial)).bytes);
    expect(metadata).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: stored['metadata'],
    });
    const lost = await api.send(`GET ${configMaps}/nope`, undefined, wanted);
    expect([lost.code, said(lost.bytes)]).toEqual([
      404,
      expect.objectContaining({ kind: 'Status', message: 'configmaps "nope" not found', code: 404 }),
    ]);
    const made = await api.send(`POST ${configMaps}`, configMap('b'), wanted);
    expect([made.code, said(made.bytes)['kind']]).toEqual([201, 'ConfigMap']);
  });

  test('API-B2: custom resources are JSON, their metadata and refusals need not be', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${definitions}`, webAppDefinition());
    await api.ok(`POST ${paths.webApps}`, webApp('a'));
    const refused = await api.send(`GET ${paths.webApps}/a`, undefined, wanted);
    expect([refused.code, said(refused.bytes)['reason']]).toEqual([406, 'NotAcceptable']);
    const either = { headers: { accept: `${type},application/json` } };
    expect((await api.send(`GET ${paths.webApps}/a`, undefined, either)).body).toMatchObject({ kind: 'WebApp' });
    expect(said((await api.send(`GET ${paths.webApps}/nope`, undefined, either)).bytes)).toMatchObject({ code: 404 });
    const partial = { headers: { accept: `${type};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1` } };
    const list = said((await api.send(`GET ${paths.webApps}`, undefined, partial)).bytes);
    expect(list).toMatchObject({ kind: 'PartialObjectMetadataList', items: [{ metadata: { name: 'a' } }] });
  });

  test('API-B2: API lists', async () => {
    await using api = new ServerUnderTest();
    const list = said((await api.send('GET /apis/apps/v1', undefined, wanted)).bytes);
    expect(list).toMatchObject({ kind: 'APIResourceList', groupVersion: 'apps/v1' });
    const verbs = (list['resources'] as JsonObject[]).map((resource) => resource['verbs']);
    expect(verbs[0]).toContain('watch');
  });

  test('API-B2: frames of a watch', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${configMaps}`, configMap('a'));
    const stop = new AbortController();
    const headers = { authorization: 'Bearer admin', accept: `${type};stream=watch` };
    const request = { method: 'GET', path: `${configMaps}?watch=1`, headers, signal: stop.signal };
    const response = await api.server.handle(request);
    expect(response.headers['content-type']).toBe(`${type};stream=watch`);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.body) {
        const frame = Buffer.from(chunk);
        expect(frame.readUInt32BE()).toBe(frame.length - 4);
        const word = frame.subarray(6, 6 + (frame[5] ?? 0)).toString();
        const object = said(frame.subarray(frame.indexOf('k8s\0')));
        seen.push(`${word} ${(object['metadata'] as JsonObject)['name'] as string}`);
      }
    })();
    await api.clock.settle();
    await api.ok(`POST ${configMaps}`, configMap('b'));
    await api.ok(`DELETE ${configMaps}/a`);
    await api.clock.settle();
    stop.abort();
    await reading;
    expect(seen).toEqual(['ADDED a', 'ADDED b', 'DELETED a']);
  });
});
