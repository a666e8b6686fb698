import { type ResourceDefinition, withStrategy } from '../kinds/index.ts';
import { accessReviews } from './access-reviews.ts';
import type { Authorizer } from './authorizer.ts';
import { identityReviews, type TokenJudge } from './identity-reviews.ts';
import type { AccountTokens } from './service-accounts.ts';
import { tokenRequest } from './token-request.ts';

export interface Answerers {
  readonly authorizer: Authorizer;
  readonly judge: TokenJudge;
  readonly tokens: AccountTokens;
}

/** The resources with somebody to answer those that are only asked, and to give out tokens. */
export function answeringResources(
  resources: readonly ResourceDefinition[],
  { authorizer, judge, tokens }: Answerers,
): ResourceDefinition[] {
  const answers = { ...accessReviews(authorizer), ...identityReviews(judge) };
  const token = tokenRequest(tokens);
  return resources.map((definition) => {
    const { group, plural, strategy } = definition;
    if (group === '' && plural === 'serviceaccounts')
      return withStrategy(definition, { actions: { ...strategy.actions, token } });
    const answering = definition.verbs.includes('get') ? undefined : answers[definition.plural];
    return answering === undefined ? definition : withStrategy(definition, { answering });
  });
}
