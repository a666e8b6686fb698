// The WebApp operator as one of the processes of `npm run chaos`. It ends with the program that started it, however that one ends.
import process from 'node:process';
import { operator } from 'kilter';
import { webapps } from '../examples/webapp/src/controller.ts';
import { memoryDns } from '../examples/webapp/src/dns.ts';
import { answerHeapQuestions } from './heap-question.ts';

process.stdin.on('end', () => process.exit(3)).on('error', () => process.exit(3));
process.stdin.resume();
process.stdin.unref?.();
answerHeapQuestions();

// Without webhooks, and with conversions that nobody asks for: see definition.ts.
const given = operator({
  name: 'webapp-operator',
  controllers: [webapps({ dns: memoryDns() })],
  webhookServer: { address: '127.0.0.1:0', register: false },
  leaderElection: true,
});
await given.run({ args: process.argv.slice(2) });
// The open pipe must not hold a program that has ended.
process.exit(process.exitCode ?? 0);
