// One replica of the operator as a process: main.ts with a name server that its test can look at.
import { fileDns } from './file-dns.test-support.ts';
import { webappOperator } from './operator.ts';

const [folder = '', ...args] = process.argv.slice(2);
await webappOperator({ dns: fileDns(folder) }).run({ args });
