import type { JsonObject } from 'kilter/api';
import type { AdmissionRequest, Versioned } from '../registry/index.ts';
import { badRequest, internalError, type StatusDetails, StatusError } from '../status/index.ts';
import { objectIfIn, quote, textIn } from '../values/index.ts';
import { type Decision, decisionIn, reviewFor } from './admission-review.ts';
import { answerProblem } from './answer-types.ts';
import { CallFailure } from './call-failure.ts';
import type { WebhookClient } from './client.ts';
import type { Invocation } from './invocation.ts';
import { reviewIn } from './reviews.ts';

/** What all calls of webhooks have in common. */
export interface Calling {
  readonly client: WebhookClient;
  readonly uuid: () => string;
}

/** A webhook whose failure is to be ignored has failed. */
export class Ignored extends Error {
  override readonly name = 'Ignored';
}

/** A refusal with the Status the webhook gave, as far as it fits one. */
function denial(name: string, result: JsonObject = {}): StatusError {
  const said = textIn(result, 'message') || textIn(result, 'reason');
  const denied = `admission webhook ${quote(name)} denied the request`;
  const reason = textIn(result, 'reason');
  const code = Number(result['code'] ?? 0);
  const details = objectIfIn(result, 'details');
  return new StatusError({
    code: code < 400 ? 400 : code,
    reason: reason === '' ? undefined : reason,
    message: said === '' ? `${denied} without explanation` : `${denied}: ${said}`,
    metadata: objectIfIn(result, 'metadata'),
    ...(details !== undefined && { details: details as StatusDetails }),
  });
}

const withoutEffects = new Set(['None', 'NoneOnDryRun']);

export interface Asking {
  readonly invocation: Invocation;
  readonly request: AdmissionRequest;
  readonly versioned: Versioned;
  readonly sort: 'mutating' | 'validating';
}

/** A failure of the call, by the webhook's policy: refused, or passed over. */
export function failed({ name, ignoresFailure }: Invocation['webhook'], failure: CallFailure): Error {
  if (ignoresFailure) return new Ignored(failure.message, { cause: failure });
  return internalError(`failed calling webhook ${quote(name)}: ${failure.message}`);
}

/** Asks one webhook. Rejects with the refusal, or with `Ignored` if it failed and that is to be ignored. */
export async function callWebhook({ client, uuid }: Calling, asking: Asking): Promise<Decision> {
  const { invocation, request, versioned, sort } = asking;
  const { webhook } = invocation;
  const { name, clientConfig, seconds } = webhook;
  if (request.dryRun && !withoutEffects.has(webhook.sideEffects)) {
    throw badRequest(`admission webhook ${quote(name)} does not support dry run`);
  }
  try {
    const review = reviewFor(invocation, request, { uid: uuid(), versioned });
    const answer = await called(async () => {
      const body = await client.post({ clientConfig, body: review.body, seconds });
      const read = reviewIn(body, { apiVersion: `admission.k8s.io/${review.version}`, kind: 'AdmissionReview' });
      const problem = answerProblem(read);
      if (problem !== undefined) throw new CallFailure(problem);
      return read;
    });
    const decision = decisionIn(answer, review, sort);
    for (const text of decision.warnings) request.warn(text);
    if (!decision.allowed) throw denial(name, decision.result);
    return decision;
  } catch (error) {
    throw error instanceof CallFailure ? failed(webhook, error) : error;
  }
}

async function called<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    throw new CallFailure(`failed to call webhook: ${error.message}`, { cause: error });
  }
}
