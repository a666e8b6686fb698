// How much CPU it takes from the call that makes a server to its first answer, in the process that imported it, in milliseconds:
// on a machine with nothing else to do it is the time as well.
import { apiServer } from '@kilter/apiserver';

const started = process.cpuUsage();
const server = apiServer();
const signal = new AbortController().signal;
const headers = { accept: 'application/json' };
const response = await server
  .connection('bench')
  .exchange({ method: 'GET', path: '/api/v1/namespaces', headers, body: undefined, signal });
for await (const _ of response.body);
const { user, system } = process.cpuUsage(started);
process.send(response.status === 200 ? (user + system) / 1000 : { failure: `answered with ${response.status}` });
await server.close();
process.disconnect();
