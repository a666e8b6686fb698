import { type ResourceDefinition, withStrategy } from '../kinds/index.ts';
import { accessReviews } from './access-reviews.ts';
import type { Authorizer } from './authorizer.ts';
import { identityReviews, type TokenJudge } from './identity-reviews.ts';

export interface Answerers {
  readonly authorizer: Authorizer;
  readonly judge: TokenJudge;
}

/** The resources with somebody to answer those that are only asked. */
export function answeringResources(
  resources: readonly ResourceDefinition[],
  { authorizer, judge }: Answerers,
): ResourceDefinition[] {
  const answers = { ...accessReviews(authorizer), ...identityReviews(judge) };
  return resources.map((definition) => {
    const answering = definition.verbs.includes('get') ? undefined : answers[definition.plural];
    return answering === undefined ? definition : withStrategy(definition, { answering });
  });
}
