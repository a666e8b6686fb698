// One silent watch and one request that is not answered: when does the client notice?
import { open } from './clients.mjs';

const [, , which, kubeconfig, options] = process.argv;
const client = await open(which, kubeconfig, JSON.parse(options));
await client.get();
let start = performance.now();
const seen = {};
const note = (what) => (outcome) => {
  seen[what] = { ms: performance.now() - start, outcome };
};
await client.watch(0, note('watch'));
client.get('unanswered').then(
  () => note('request')('answered'),
  (error) => note('request')(typeof error.code === 'string' ? error.code : error.name),
);
process.send('open');
process.on('message', (message) => {
  if (message === 'frozen') start = performance.now();
  process.send(seen);
});
