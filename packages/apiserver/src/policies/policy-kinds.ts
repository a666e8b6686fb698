import { type ResourceDefinition, type Strategy, withStrategy } from '../kinds/index.ts';
import { bindingIssues, policyIssues } from './rules.ts';
import { webhookConditionIssues } from './webhook-conditions.ts';

const group = 'admissionregistration.k8s.io';

const rules: Readonly<Record<string, NonNullable<Strategy['validate']>>> = {
  ValidatingAdmissionPolicy: policyIssues('validating'),
  ValidatingAdmissionPolicyBinding: bindingIssues('validating'),
  MutatingAdmissionPolicy: policyIssues('mutating'),
  MutatingAdmissionPolicyBinding: bindingIssues('mutating'),
  ValidatingWebhookConfiguration: webhookConditionIssues,
  MutatingWebhookConfiguration: webhookConditionIssues,
};

/** The served kinds, with what those who admit changes may not say: judged by whoever knows their expressions. */
export function withPolicyRules(resources: readonly ResourceDefinition[]): ResourceDefinition[] {
  return resources.map((definition) => {
    const rule = definition.group === group ? rules[definition.kind] : undefined;
    if (rule === undefined) return definition;
    const { strategy } = definition;
    return withStrategy(definition, {
      validate: (object, old) => [...(strategy.validate?.(object, old) ?? []), ...rule(object, old)],
    });
  });
}
