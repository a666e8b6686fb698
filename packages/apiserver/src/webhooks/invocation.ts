import type { ResourceDefinition } from '../kinds/index.ts';
import {
  isExempt,
  matchResource,
  meetsConditions,
  requestToCel,
  rightsToCel,
  selectsRequest,
} from '../matching/index.ts';
import type { AdmissionRequest, AdmissionView, Versioned } from '../registry/index.ts';
import { untypedToCel } from '../cel/index.ts';
import { forbidden, type StatusError } from '../status/index.ts';
import type { Webhook } from './configuration.ts';

/** A webhook that is to be called about a request, with what it is shown. */
export interface Invocation {
  readonly webhook: Webhook;
  /** The resource in the version the rules of the webhook name. */
  readonly resource: ResourceDefinition;
}

/** The version in which a webhook is asked about a request, as far as rules and selectors go; undefined if it is not. */
export function matched(webhook: Webhook, request: AdmissionRequest, view: AdmissionView): Invocation | undefined {
  if (isExempt(request)) return undefined;
  const { rules, matchPolicy } = webhook;
  const resource = matchResource({ rules, matchPolicy }, request, view);
  if (resource === undefined) return undefined;
  return selectsRequest(webhook, request, view) ? { webhook, resource } : undefined;
}

/** Whether the conditions of a webhook are met; one that fails refuses the request unless failures are ignored. */
export function passesConditions(
  { webhook, resource }: Invocation,
  request: AdmissionRequest,
  { versioned, view }: { versioned: Versioned; view: AdmissionView },
): boolean {
  if (webhook.conditions.length === 0) return true;
  const met = meetsConditions(webhook.conditions, {
    object: untypedToCel(versioned.object),
    oldObject: untypedToCel(versioned.old),
    request: requestToCel(request, resource),
    ...rightsToCel(request, view),
  });
  if (typeof met === 'boolean') return met;
  if (webhook.ignoresFailure) return false;
  throw refusedBy(request, met.problem);
}

const refusedBy = ({ resource, name }: AdmissionRequest, message: string): StatusError =>
  forbidden(resource, name, { message });
