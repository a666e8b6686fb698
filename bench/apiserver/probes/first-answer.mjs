// How long it takes from the call that makes a server to its first answer, in the process that imported it.
import { apiServer } from '@kilter/apiserver';

const started = performance.now();
const server = apiServer();
const signal = new AbortController().signal;
const headers = { accept: 'application/json' };
const response = await server
  .connection('bench')
  .exchange({ method: 'GET', path: '/api/v1/namespaces', headers, body: undefined, signal });
for await (const _ of response.body);
process.send(response.status === 200 ? performance.now() - started : { failure: `answered with ${response.status}` });
await server.close();
process.disconnect();
