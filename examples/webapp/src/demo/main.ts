// npm run demo: the WebApp operator on the embedded API server.
//   -- --once          exits 0 as soon as the sample is Ready, 1 with the reason if it is not within 30 s
//   -- --server-only   runs the server alone; the operator can then run as its own process (see README)
import { apiServer, type ApiServer } from '@kilter/testing';
import type { Client } from 'kilter';
import type { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { connectTo } from 'kilter/runtime';
import { memoryDns } from '../dns.ts';
import { webappOperator } from '../operator.ts';
import { WebApp } from '../webapp.ts';
import { openPlace } from './place.ts';
import { Story } from './story.ts';

// The sample of manifests/nginx-app.yaml.
const sample = WebApp.build({
  name: 'nginx-app',
  namespace: 'default',
  spec: { image: 'nginx:1.25', replicas: 3, port: 80 },
});
const readyWithin = 30_000;
// Two operators on one machine cannot share the default ports; here the server calls webhooks on this machine, not by a Service.
const ownPorts =
  '--metrics-bind-address=0 --health-probe-bind-address=0 --webhook-bind-address=127.0.0.1:0 --webhook-url=https://127.0.0.1';
const webhooks = { address: '127.0.0.1:0', url: 'https://127.0.0.1' };
// The operator puts in where it really is.
const conversion = { service: { namespace: 'default', name: 'webapp-operator-webhook' } };

interface Flags {
  readonly once: boolean;
  readonly serverOnly: boolean;
}

function parseArguments(args: readonly string[]): Flags {
  const unknown = args.find((argument) => !['--once', '--server-only'].includes(argument));
  if (unknown !== undefined) throw new Error(`unknown argument ${unknown}; there are --once and --server-only`);
  if (args.length > 1) throw new Error('--once and --server-only exclude each other');
  return { once: args.includes('--once'), serverOnly: args.includes('--server-only') };
}

/** Resolves with the condition's message, or with why it did not come in time. */
async function untilReady(client: Client, story: Story): Promise<boolean> {
  const over = AbortSignal.timeout(readyWithin);
  const stop = new AbortController();
  void interrupted.then(() => stop.abort());
  let last = 'the operator has written no status';
  try {
    for await (const change of client.watch(WebApp, {
      namespace: 'default',
      signal: AbortSignal.any([over, stop.signal]),
    })) {
      if (change.type === 'BOOKMARK') continue;
      const ready = change.object.status?.conditions?.find(({ type }) => type === 'Ready');
      if (ready === undefined) continue;
      last = `${ready.reason}: ${ready.message}`;
      if (ready.status === 'True') {
        story.say(`nginx-app is Ready: ${ready.message}`);
        return true;
      }
      story.say(`nginx-app is not Ready: ${last}`);
    }
  } catch (error) {
    if (!over.aborted && !stop.signal.aborted) throw error;
  }
  if (stop.signal.aborted) return false;
  story.say(`nginx-app did not become Ready within ${readyWithin / 1000} s. Last seen: ${last}`);
  return false;
}

/** Resolves on Ctrl-C or SIGTERM, whenever it comes. */
const interrupted = new Promise<void>((done) => {
  process.once('SIGINT', () => done());
  process.once('SIGTERM', () => done());
});

async function installAndApply(server: ApiServer, story: Story): Promise<Client> {
  const client = connectTo(server.connection('demo'), { manager: 'kilter-demo' });
  await client.apply<CustomResourceDefinition>(WebApp.manifest({ conversion }), { manager: 'kilter-demo' });
  story.say('installed the CustomResourceDefinition webapps.example.com');
  return client;
}

async function demo({ once, serverOnly }: Flags): Promise<boolean> {
  const story = new Story();
  using place = openPlace();
  await using server = apiServer({ onRequest: (request) => story.request(request) });
  const { url, kubeconfig } = await server.listen();
  place.writeKubeconfig(kubeconfig);
  story.say(`embedded API server at ${url}; in a second terminal:`);
  story.say(`  export KUBECONFIG=${place.kubeconfig}; kubectl get webapps -w`);
  const client = await installAndApply(server, story);
  if (serverOnly) {
    story.say('start the operator, once or twice, with:');
    story.say(`  npm run start -w examples/webapp -- --kubeconfig ../../${place.kubeconfig} ${ownPorts}`);
    story.say('and apply the sample with: kubectl apply -f examples/webapp/manifests/nginx-app.yaml');
    await interrupted;
    return true;
  }
  const operator = webappOperator({ dns: memoryDns(), logger: story.logger });
  await using manager = await operator.start({ connection: server.connection('operator'), webhooks });
  manager.runs.subscribe((run) => story.run(run));
  await manager.ready;
  story.say('the operator is ready; applying the sample nginx-app');
  await client.apply(sample, { manager: 'kilter-demo' });
  const ready = await Promise.race([untilReady(client, story), interrupted]);
  if (ready === false || once) return ready ?? false;
  if (ready === true) story.say('running until Ctrl-C');
  await Promise.race([interrupted, manager.done]);
  story.say('stopping');
  return true;
}

try {
  process.exitCode = (await demo(parseArguments(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? `demo: ${error.message}` : error);
  process.exitCode = 1;
}
