// The operator as a program: npm run start -w examples/event-recycler -- --kubeconfig ~/.kube/config
import { sdkRegions } from './aws-sdk.ts';
import { recyclerOperator } from './operator.ts';

await recyclerOperator({ aws: sdkRegions() }).run({ args: process.argv.slice(2) });
