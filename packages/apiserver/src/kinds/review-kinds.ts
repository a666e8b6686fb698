import type { BuiltinKinds } from './row.ts';

/** Kinds that are only ever asked: who answers is decided where the server is put together. */
export const reviewKinds: BuiltinKinds = {
  'authentication.k8s.io/SelfSubjectReview': {},
  'authentication.k8s.io/TokenReview': {},
  'authorization.k8s.io/LocalSubjectAccessReview': {},
  'authorization.k8s.io/SelfSubjectAccessReview': {},
  'authorization.k8s.io/SelfSubjectRulesReview': {},
  'authorization.k8s.io/SubjectAccessReview': {},
};
