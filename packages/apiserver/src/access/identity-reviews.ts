// SelfSubjectReview and TokenReview: who somebody is, answered and forgotten.
import type { JsonObject } from 'kilter/api';
import type { User } from '../auth/index.ts';
import type { Answering } from '../kinds/index.ts';
import { badRequest } from '../status/index.ts';
import { objectIfIn, objectOf, textIn, textsOf } from '../values/index.ts';

/** A user as reviews show one. */
export function userInfo({ name, uid = '', groups, extra = {} }: User): JsonObject {
  const extras = Object.entries(extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(extras.length > 0 && { extra: objectOf(extras) }),
  };
}

/** Who shows a token meant for one of these audiences, and for which of them it counts; or why it does not. */
export type TokenVerdict =
  | { readonly user: User; readonly audiences: readonly string[] }
  | { readonly user: undefined; readonly problem: string };

export type TokenJudge = (token: string, audiences: readonly string[]) => TokenVerdict;

const selfReview: Answering = {
  answer: (request) => ({
    kind: request.kind,
    apiVersion: request.apiVersion,
    metadata: { creationTimestamp: request.now() },
    status: { userInfo: userInfo(request.user) },
  }),
};

const tokenReview = (judge: TokenJudge): Answering => ({
  answer({ sent }) {
    const spec = objectIfIn(sent, 'spec') ?? {};
    const token = textIn(spec, 'token');
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const verdict = judge(token, textsOf(spec['audiences']));
    if (verdict.user === undefined) return { ...sent, status: { user: {}, error: verdict.problem } };
    const { user, audiences } = verdict;
    return { ...sent, status: { authenticated: true, user: userInfo(user), audiences: [...audiences] } };
  },
});

/** By plural. */
export const identityReviews = (judge: TokenJudge): Readonly<Record<string, Answering>> => ({
  selfsubjectreviews: selfReview,
  tokenreviews: tokenReview(judge),
});
