import {
  type AdmissionRequest,
  type AdmissionStep,
  type AdmissionView,
  type Versioned,
  versionedFor,
} from '../registry/index.ts';
import { type Calling, callWebhook, Ignored } from './call-webhook.ts';
import { webhooksOf } from './configuration.ts';
import { type Invocation, matched, passesConditions } from './invocation.ts';

interface Chosen {
  readonly invocation: Invocation;
  readonly versioned: Versioned;
}

async function chosen(
  invocations: readonly Invocation[],
  request: AdmissionRequest,
  view: AdmissionView,
): Promise<Chosen[]> {
  const found: Chosen[] = [];
  for (const invocation of invocations) {
    const versioned = await versionedFor(request, invocation.resource, view);
    if (passesConditions(invocation, request, { versioned, view })) found.push({ invocation, versioned });
  }
  return found;
}

async function judge(
  calling: Calling,
  {
    request,
    view,
    invocations,
  }: { request: AdmissionRequest; view: AdmissionView; invocations: readonly Invocation[] },
): Promise<void> {
  const asked = await chosen(invocations, request, view);
  const answers = asked.map((one) => callWebhook(calling, { ...one, request, sort: 'validating' }));
  for (const answer of await Promise.allSettled(answers)) {
    if (answer.status === 'rejected' && !(answer.reason instanceof Ignored)) throw answer.reason;
  }
}

/** Asks all validating webhooks at once; the refusal of the first in order counts. */
export function validatingWebhooks(calling: Calling): AdmissionStep {
  return {
    validate: (request, view) => {
      const webhooks = webhooksOf('validatingwebhookconfigurations', view);
      const invocations = webhooks.flatMap((webhook) => matched(webhook, request, view) ?? []);
      return invocations.length === 0 ? undefined : judge(calling, { request, view, invocations });
    },
  };
}
