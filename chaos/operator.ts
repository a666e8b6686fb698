// The WebApp operator as one of the processes of `npm run chaos`. It ends with the program that started it, however that one ends.
import process from 'node:process';
import { memoryDns } from '../examples/webapp/src/dns.ts';
import { webappOperator } from '../examples/webapp/src/operator.ts';

process.stdin.on('end', () => process.exit(3)).on('error', () => process.exit(3));
process.stdin.resume();
process.stdin.unref?.();

await webappOperator({ dns: memoryDns() }).run({ args: process.argv.slice(2) });
// The open pipe must not hold a program that has ended.
process.exit(process.exitCode ?? 0);
