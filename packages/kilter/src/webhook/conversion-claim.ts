import type { CustomResourceDefinition } from '../k8s/apiextensions/v1.ts';
import type { WebhookEndpoint } from './configurations.ts';

/** An operator that can convert a kind. */
export interface ConversionClaim {
  readonly operator: string;
  /** It neither reconciles the kind nor guards it: one that does is to convert it. */
  readonly uses: boolean;
}

/** On a definition: who converts. Two operators that share a kind would otherwise overwrite each other's conversion for ever. */
export const converterAnnotation = 'kilter.dev/converted-by';

const standIn = ' (stands in)';

/** How a claim is written down: an operator that only uses a kind yields to one that reconciles it. */
export const converterOf = ({ operator, uses }: ConversionClaim): string => `${operator}${uses ? standIn : ''}`;

/** Another operator that a definition is to be left to; undefined where this one may convert. */
export function otherConverter(
  { metadata, spec }: CustomResourceDefinition,
  { operator, uses }: ConversionClaim,
  { service }: WebhookEndpoint,
): string | undefined {
  const converter = metadata.annotations?.[converterAnnotation];
  // Nobody has claimed it: what a manifest says of its conversion is there to be filled in.
  if (converter === undefined) return undefined;
  const name = converter.replace(standIn, '');
  if (name !== operator) return converter !== name && !uses ? undefined : `the operator ${name}`;
  const found = spec.conversion?.webhook?.clientConfig?.service;
  const isElsewhere = service !== undefined && found !== undefined && found.namespace !== service.namespace;
  return isElsewhere ? `the operator ${name} in the namespace ${found.namespace}` : undefined;
}
