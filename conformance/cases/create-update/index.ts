import type { Case } from '../../src/case.ts';
import { changes } from './changes.ts';
import { checks } from './checks.ts';
import { create } from './create.ts';
import { containers } from './containers.ts';
import { defaults } from './defaults.ts';
import { dryRun } from './dry-run.ts';
import { fieldValidation } from './field-validation.ts';
import { generation } from './generation.ts';
import { headlessServices } from './headless-services.ts';
import { kindRules } from './kind-rules.ts';
import { leaseCases } from './leases.ts';
import { names } from './names.ts';
import { podShapes } from './pod-shapes.ts';
import { podSpecs } from './pod-specs.ts';
import { references } from './references.ts';
import { refusals } from './refusals.ts';
import { shares } from './shares.ts';
import { status } from './status.ts';
import { update } from './update.ts';
import { upsert } from './upsert.ts';
import { validation } from './validation.ts';

export const createUpdate: readonly Case[] = [
  ...create,
  ...checks,
  ...names,
  ...generation,
  ...status,
  ...update,
  ...upsert,
  ...references,
  ...dryRun,
  ...fieldValidation,
  ...defaults,
  ...validation,
  ...headlessServices,
  ...shares,
  ...leaseCases,
  ...refusals,
  ...containers,
  ...podSpecs,
  ...podShapes,
  ...kindRules,
  ...changes,
];
