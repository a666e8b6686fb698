// Kinds, verbs, subresources, deletion: what a request does to the stored objects.
export { createRegistry, type RegistryOptions, type ServerRegistry } from './registry.ts';
