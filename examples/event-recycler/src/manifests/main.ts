// npm run manifests -w examples/event-recycler: writes what is derived from the code into manifests/.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { dump } from 'js-yaml';
import { EventRecycler } from '../event-recycler.ts';
import { operatorManifests } from './deployment.ts';

const folder = resolve(import.meta.dirname, '../../manifests');
const head = '# Written by `npm run manifests -w examples/event-recycler`.\n';
const text = (objects: readonly object[]): string =>
  head + objects.map((object) => dump(JSON.parse(JSON.stringify(object)), { lineWidth: 140 })).join('---\n');

writeFileSync(resolve(folder, 'crd.yaml'), text([EventRecycler.manifest()]));
writeFileSync(resolve(folder, 'operator.yaml'), text(operatorManifests()));
