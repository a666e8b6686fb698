import type { Case } from '../../src/case.ts';
import { bindings } from './binding.ts';
import { columnCases } from './columns.ts';
import { connecting } from './connecting.ts';
import { conversion } from './conversion.ts';
import { defaulting } from './defaulting.ts';
import { definitionRules } from './definition-rules.ts';
import { evictions } from './eviction.ts';
import { listTypes } from './list-types.ts';
import { definitionNames } from './names.ts';
import { pruning } from './pruning.ts';
import { ratcheting } from './ratcheting.ts';
import { published } from './published.ts';
import { recreated } from './recreated.ts';
import { ruleLibraries } from './rule-libraries.ts';
import { ruleMessages } from './rule-messages.ts';
import { ruleScope } from './rule-scope.ts';
import { ruleTransitions } from './rule-transitions.ts';
import { scaleCases } from './scale.ts';
import { podChanges } from './pod-changes.ts';
import { signingRequests } from './signing-requests.ts';
import { structural } from './structural.ts';
import { values } from './values.ts';
import { versionCases } from './versions.ts';

export const subresourcesCrds: readonly Case[] = [
  ...connecting,
  ...scaleCases,
  ...evictions,
  ...bindings,
  ...podChanges,
  ...signingRequests,
  ...definitionRules,
  ...definitionNames,
  ...structural,
  ...pruning,
  ...defaulting,
  ...values,
  ...listTypes,
  ...ruleMessages,
  ...ruleTransitions,
  ...ruleScope,
  ...ruleLibraries,
  ...ratcheting,
  ...columnCases,
  ...versionCases,
  ...conversion,
  ...recreated,
  ...published,
];
