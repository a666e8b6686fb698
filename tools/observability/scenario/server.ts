// The API server of the scenario, as a process that can be stopped. Prints its kubeconfig, and ends with who started it.
import { apiServer } from '@kilter/apiserver';
import process from 'node:process';

process.stdin.on('end', () => process.exit(3)).on('error', () => process.exit(3));
process.stdin.resume();

const served = await apiServer().listen({ port: 0 });
process.stdout.write(`${JSON.stringify({ kubeconfig: served.kubeconfig })}\n`);
