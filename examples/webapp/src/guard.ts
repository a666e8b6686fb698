import { mutating, validating } from 'kilter';
import { WebApp } from './webapp.ts';

/** Fills in what the schema cannot: what depends on who asks, and on other fields. */
export const defaults = mutating(WebApp, (app, review) => {
  app.spec.image = app.spec.image.trim();
  app.metadata.labels['app.kubernetes.io/managed-by'] ??= 'webapp-operator';
  if (review.operation === 'CREATE') app.metadata.annotations['example.com/created-by'] ??= review.user.name;
});

/** Whether an image names a tag or a digest; what is before the last slash may be a registry with a port. */
const isPinned = (image: string): boolean => /(^|\/)[^/:@]+(:[^/:@]+|(:[^/:@]+)?@sha256:[0-9a-f]{64})$/.test(image);

/** Refuses what the schema cannot. */
export const rules = validating(WebApp, { on: ['CREATE', 'UPDATE'] }, (app, review) => {
  const { image, replicas, env } = app.spec;
  if (!isPinned(image)) review.deny('spec.image', 'name a tag or a digest, as in nginx:1.27');
  if (app.metadata.labels?.['example.com/tier'] === 'production' && replicas < 2) {
    review.deny('spec.replicas', 'at least 2 in production (label example.com/tier)');
  }
  for (const [i, { name }] of env.entries()) {
    if (name.startsWith('KUBERNETES_'))
      review.deny(`spec.env[${i}].name`, 'names that begin with KUBERNETES_ are reserved for the cluster');
  }
  if (review.operation === 'UPDATE' && app.spec.port !== review.old.spec.port) {
    review.warn('changing the port restarts every pod');
  }
});
