// How a request says what it wants of a kubelet or a program: an object of its own kind, as those who admit connections see it.
import type { JsonObject } from 'kilter/api';

const isYes = (text: string): boolean => !['false', '0'].includes(text.toLowerCase());

const flags = ['stdin', 'stdout', 'stderr', 'tty'];

function streamOptions(query: URLSearchParams): JsonObject {
  const set = flags.filter((name) => query.has(name) && isYes(query.get(name) ?? ''));
  const container = query.get('container') ?? '';
  return { ...Object.fromEntries(set.map((name) => [name, true])), ...(container !== '' && { container }) };
}

function optionsOf(kind: string, query: URLSearchParams, path: string): JsonObject {
  switch (kind) {
    case 'PodExecOptions':
      return { ...streamOptions(query), command: query.has('command') ? query.getAll('command') : null };
    case 'PodAttachOptions':
      return streamOptions(query);
    case 'PodPortForwardOptions': {
      const ports = query.getAll('ports').flatMap((text) => text.split(',').map(Number));
      return ports.length === 0 ? {} : { ports };
    }
    default:
      return path === '' ? {} : { path: `/${path}` };
  }
}

/** `path`: what follows the subresource in the path of the request. */
export function connectOptions(kind: string, query: URLSearchParams, path: string): JsonObject {
  return { kind, apiVersion: 'v1', ...optionsOf(kind, query, path) };
}
