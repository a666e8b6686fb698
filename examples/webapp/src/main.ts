// The operator as its own program: npm run start -w examples/webapp -- --kubeconfig ../../.kilter/demo/kubeconfig
import { memoryDns } from './dns.ts';
import { webappOperator } from './operator.ts';

await webappOperator({ dns: memoryDns() }).run({ args: process.argv.slice(2) });
