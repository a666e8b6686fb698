// Test support, run as its own process: a program that sends one request and never closes its connection.
import { systemRuntime } from '../internal/index.ts';
import { silentLogger } from '../telemetry/index.ts';
import { httpsConnection } from './https-connection.ts';
import { transport } from './send.ts';

const [port, ca] = process.argv.slice(2);
const connection = httpsConnection({ server: `https://localhost:${port}`, ca, namespace: 'default' });
const api = transport(connection, { runtime: systemRuntime, logger: silentLogger, userAgent: 'test/1' });
const { status } = await api.send({ method: 'GET', path: '/api' });
process.stdout.write(String(status));
