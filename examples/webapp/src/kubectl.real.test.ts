// Unmodified kubectl against the running demo: that of `npm run kube:install`, else the machine's; left out with a reason
// where there is none.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries } from '@kilter/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program, type Program } from './demo/child-process.ts';

const kubectlFile = findBinaries().binaries?.kubectl ?? 'kubectl';
const present = spawnSync(kubectlFile, ['version', '--client']).status === 0;
const manifest = resolve(import.meta.dirname, '../manifests/nginx-app.yaml');
const run = promisify(execFile);

describe.skipIf(!present)(`kubectl${present ? '' : ' (skipped: kubectl is not installed)'}`, () => {
  let folder = '';
  let demo: Program;
  const env = (): NodeJS.ProcessEnv => ({
    ...process.env,
    KUBECONFIG: join(folder, '.kilter/demo/kubeconfig'),
    HOME: folder,
  });
  const kubectl = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await run(kubectlFile, args, { env: env(), timeout: 60_000 });
    return stdout + stderr;
  };
  const refused = async (...args: string[]): Promise<string> =>
    kubectl(...args).then(
      (output) => expect.unreachable(`kubectl ${args.join(' ')} was not refused: ${output}`),
      (error: { stderr: string }) => error.stderr,
    );

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kilter-kubectl-'));
    demo = program('demo/main.ts', [], folder);
    await demo.says('running until Ctrl-C');
  }, 60_000);
  afterAll(async () => {
    await demo?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test('get shows the columns, by kind, short name and as YAML', async () => {
    expect(await kubectl('get', 'webapps')).toMatch(
      /NAME\s+IMAGE\s+REPLICAS\s+READY\s+AGE\nnginx-app\s+nginx:1.25\s+3\s+True\s+\d+s/,
    );
    expect(await kubectl('get', 'wa', 'nginx-app', '-o', 'yaml')).toContain('kind: WebApp');
    expect(await kubectl('get', 'deploy,svc,pods')).toMatch(/deployment.apps\/nginx-app\s+3\/3/);
  });

  test('api-resources lists the custom resource', async () => {
    expect(await kubectl('api-resources')).toMatch(/webapps\s+wa\s+example.com\/v1\s+true\s+WebApp/);
  });

  test('explain knows the fields and their descriptions', async () => {
    const text = await kubectl('explain', 'webapp.spec');
    expect(text).toMatch(/image\s+<string> -required-/);
    expect(text).toContain('Container image to run.');
    expect(text).toMatch(/replicas\s+<integer>/);
  });

  test('wait returns once the condition holds', async () => {
    expect(await kubectl('wait', '--for=condition=Ready', 'webapp/nginx-app', '--timeout=30s')).toContain(
      'condition met',
    );
  });

  test('describe shows spec, status and events', async () => {
    const text = await kubectl('describe', 'webapp', 'nginx-app');
    expect(text).toContain('Kind:         WebApp');
    expect(text).toMatch(/Observed Generation:\s+1/);
    expect(text).toMatch(/Normal\s+Ready\s+\S+.*webapp-operator\s+3 of 3 replicas are available/);
  });

  test('scale goes through the scale subresource and the operator follows', async () => {
    await kubectl('scale', 'webapp/nginx-app', '--replicas=5');
    await kubectl('wait', '--for=jsonpath={.status.availableReplicas}=5', 'webapp/nginx-app', '--timeout=30s');
    expect(await kubectl('get', 'deploy', 'nginx-app', '-o', 'jsonpath={.spec.replicas}')).toBe('5');
  });

  test('a patch of the Deployment is repaired, one of the WebApp is followed', async () => {
    await kubectl('patch', 'deployment', 'nginx-app', '-p', '{"spec":{"replicas":1}}');
    await kubectl('wait', '--for=jsonpath={.spec.replicas}=5', 'deployment/nginx-app', '--timeout=30s');
    await kubectl('patch', 'webapp', 'nginx-app', '--type=merge', '-p', '{"spec":{"image":"nginx:1.27"}}');
    await kubectl(
      'wait',
      '--for=jsonpath={.spec.template.spec.containers[0].image}=nginx:1.27',
      'deployment/nginx-app',
      '--timeout=30s',
    );
    expect(
      await kubectl(
        'patch',
        'webapp',
        'nginx-app',
        '--type=json',
        '-p',
        '[{"op":"replace","path":"/spec/port","value":8080}]',
      ),
    ).toContain('patched');
    await kubectl('wait', '--for=jsonpath={.spec.ports[0].port}=8080', 'service/nginx-app', '--timeout=30s');
  });

  test('edit sends what the editor changed', async () => {
    const editor = join(folder, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/replicas: 5/replicas: 2/" "$1"\n', { mode: 0o755 });
    const { stdout } = await run(kubectlFile, ['edit', 'webapp', 'nginx-app'], {
      env: { ...env(), KUBE_EDITOR: editor },
    });
    expect(stdout).toContain('edited');
    await kubectl('wait', '--for=jsonpath={.status.availableReplicas}=2', 'webapp/nginx-app', '--timeout=30s');
  });

  test('apply works from the client’s side and from the server’s', async () => {
    expect(await kubectl('apply', '-f', manifest)).toContain('webapp.example.com/nginx-app configured');
    expect(await kubectl('apply', '-f', manifest)).toContain('unchanged');
    expect(await kubectl('apply', '--server-side', '--force-conflicts', '-f', manifest)).toContain(
      'serverside-applied',
    );
    const config = join(folder, 'config.yaml');
    writeFileSync(config, 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\ndata: { a: "1" }\n');
    expect(await kubectl('apply', '-f', config)).toContain('configmap/c created');
    writeFileSync(config, 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\ndata: { b: "2" }\n');
    expect(await kubectl('apply', '-f', config)).toContain('configmap/c configured');
    expect(await kubectl('get', 'configmap', 'c', '-o', 'jsonpath={.data}')).toBe('{"b":"2"}');
    await kubectl('delete', 'configmap', 'c');
  });

  test('what breaks the schema or is unknown is refused with the field', async () => {
    const bad = join(folder, 'bad.yaml');
    const write = (spec: string): void =>
      writeFileSync(bad, `apiVersion: example.com/v1\nkind: WebApp\nmetadata: { name: bad }\nspec: ${spec}\n`);
    write('{ image: "a:1", replicas: 101 }');
    expect(await refused('apply', '-f', bad)).toContain('spec.replicas in body should be less than or equal to 100');
    write('{ image: "nginx:latest" }');
    expect(await refused('create', '-f', bad)).toMatch(/spec\.image: Invalid value: .*pin the image tag/);
    write('{ image: "a:1", imgae: "b" }');
    expect(await refused('apply', '-f', bad)).toContain('unknown field "spec.imgae"');
  });

  test('what a webhook refuses is refused with the path of the field, created or changed', async () => {
    const bad = join(folder, 'bad.yaml');
    const metadata = '{ name: bad, labels: { example.com/tier: production } }';
    writeFileSync(
      bad,
      `apiVersion: example.com/v1\nkind: WebApp\nmetadata: ${metadata}\nspec: { image: nginx, replicas: 1 }\n`,
    );
    for (const args of [
      ['apply', '-f', bad],
      ['apply', '--server-side', '-f', bad],
      ['create', '--dry-run=server', '-f', bad],
    ]) {
      const text = await refused(...args);
      expect(text).toContain('spec.image: name a tag or a digest, as in nginx:1.27');
      expect(text).toContain('spec.replicas: at least 2 in production');
    }
    const change = ['--type=merge', '-p', '{"spec":{"image":"nginx"}}'];
    expect(await refused('patch', 'webapp', 'nginx-app', ...change)).toContain('spec.image: name a tag');
    expect(await refused('get', 'webapp', 'bad')).toContain('not found');
  });

  test('every version is got by its name, with its own columns and its warning', async () => {
    const alpha = await kubectl('get', 'webapps.v1alpha1.example.com');
    expect(alpha).toMatch(/NAME\s+IMAGE\s+COUNT\s+AGE\nnginx-app\s+nginx:\S+\s+\d+\s/);
    expect(alpha).toContain('Warning: example.com/v1alpha1 WebApp is deprecated; use example.com/v1');
    const port = ['-o', 'jsonpath={.spec.containerPort}'];
    expect(await kubectl('get', 'webapps.v1beta1.example.com', 'nginx-app', ...port)).toMatch(/^\d+$/);
    const old = join(folder, 'old.yaml');
    writeFileSync(
      old,
      'apiVersion: example.com/v1alpha1\nkind: WebApp\nmetadata: { name: old }\nspec: { image: "nginx:1.25", count: "2" }\n',
    );
    expect(await kubectl('apply', '-f', old)).toContain('webapp.example.com/old created');
    expect(await kubectl('get', 'webapp', 'old', '-o', 'jsonpath={.spec.replicas}')).toBe('2');
    expect(await kubectl('apply', '-f', old)).toContain('unchanged');
    await kubectl('delete', 'webapp', 'old');
  });

  test('get -w follows changes as they come', async () => {
    const watch = spawn(kubectlFile, ['get', 'webapp', 'nginx-app', '-w'], { env: env() });
    let seen = '';
    watch.stdout.setEncoding('utf8').on('data', (chunk: string) => (seen += chunk));
    try {
      await expect.poll(() => seen, { timeout: 20_000 }).toContain('nginx-app');
      await kubectl('scale', 'webapp/nginx-app', '--replicas=4');
      await expect.poll(() => seen, { timeout: 20_000 }).toMatch(/nginx-app\s+\S+\s+4\s/);
    } finally {
      watch.kill('SIGKILL');
    }
  });

  test('delete waits for the finalizer and takes the children along', async () => {
    expect(await kubectl('delete', 'webapp', 'nginx-app')).toContain('deleted');
    await kubectl('wait', '--for=delete', 'deployment/nginx-app', 'service/nginx-app', '--timeout=30s');
    expect(await kubectl('get', 'webapps')).toContain('No resources found');
  });
});
