import { apiserverCodes } from './table/apiserver.ts';
import { cacheCodes } from './table/cache.ts';
import { certificatesCodes } from './table/certificates.ts';
import { clientCodes } from './table/client.ts';
import { configCodes } from './table/config.ts';
import { controllerCodes } from './table/controller.ts';
import { crdCodes } from './table/crd.ts';
import { electionCodes } from './table/election.ts';
import { managerCodes } from './table/manager.ts';
import { queueCodes } from './table/queue.ts';
import { reconcileCodes } from './table/reconcile.ts';
import { recorderCodes } from './table/recorder.ts';
import { telemetryCodes } from './table/telemetry.ts';
import { testingCodes } from './table/testing.ts';
import { transportCodes } from './table/transport.ts';
import { triggerCodes } from './table/trigger.ts';
import { webhookCodes } from './table/webhook.ts';

export interface CodeEntry {
  /** What has happened when it is thrown. */
  readonly cause: string;
  /** What to do about it, in general. */
  readonly cure: string;
}

export type Code =
  | keyof typeof apiserverCodes
  | keyof typeof cacheCodes
  | keyof typeof certificatesCodes
  | keyof typeof clientCodes
  | keyof typeof configCodes
  | keyof typeof controllerCodes
  | keyof typeof crdCodes
  | keyof typeof electionCodes
  | keyof typeof managerCodes
  | keyof typeof queueCodes
  | keyof typeof reconcileCodes
  | keyof typeof recorderCodes
  | keyof typeof telemetryCodes
  | keyof typeof testingCodes
  | keyof typeof transportCodes
  | keyof typeof triggerCodes
  | keyof typeof webhookCodes;

/** Every code with what causes it and what to do. docs/reference/errors.md is compared with it by a test. */
export const errorTable: Readonly<Record<Code, CodeEntry>> = {
  ...apiserverCodes,
  ...cacheCodes,
  ...certificatesCodes,
  ...clientCodes,
  ...configCodes,
  ...controllerCodes,
  ...crdCodes,
  ...electionCodes,
  ...managerCodes,
  ...queueCodes,
  ...reconcileCodes,
  ...recorderCodes,
  ...telemetryCodes,
  ...testingCodes,
  ...transportCodes,
  ...triggerCodes,
  ...webhookCodes,
};

export function cureOf(code: Code): string {
  return errorTable[code].cure;
}
