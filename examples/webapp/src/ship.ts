// npm run ship -w examples/webapp -- --image registry.example.com/webapp-operator:1.0 | kubectl apply -f -
import { parseArgs } from 'node:util';
import { shippingManifests } from './shipping.ts';

const { values } = parseArgs({
  options: { image: { type: 'string' }, namespace: { type: 'string', default: 'webapp-system' } },
});
const { image, namespace } = values;
if (image === undefined) {
  console.error('name the image of the operator: --image registry.example.com/webapp-operator:1.0');
  process.exit(2);
}
for (const object of shippingManifests({ namespace, image }))
  console.log(`---\n${JSON.stringify(object, undefined, 2)}`);
