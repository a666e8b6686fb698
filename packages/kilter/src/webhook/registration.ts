import { kindLabel } from '../api/index.ts';
import type { Client } from '../client/index.ts';
import type { Convertible } from '../crd/index.ts';
import { inWords, isConflict, isInvalid, KilterError } from '../errors/index.ts';
import { deepEqual } from '../internal/index.ts';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '../k8s/admissionregistration/v1.ts';
import { CustomResourceDefinition } from '../k8s/apiextensions/v1.ts';
import type { Logger } from '../telemetry/index.ts';
import { converterAnnotation, converterOf, otherConverter } from './conversion-claim.ts';
import {
  type ClientConfig,
  configurationsOf,
  conversionConfigAt,
  operatorLabel,
  type WebhookEndpoint,
} from './configurations.ts';
import type { ResolvedWebhook } from './resolved-webhook.ts';

export interface RegistrationOptions {
  readonly operator: string;
  readonly webhooks: readonly ResolvedWebhook[];
  /** Kinds whose versions the operator converts. */
  readonly kinds: readonly Convertible[];
  /** Those of them that it only uses, by label: another operator's to convert, where there is one. */
  readonly used: ReadonlySet<string>;
  readonly client: Client;
  readonly logger: Logger;
}

interface Called {
  readonly name: string;
  readonly clientConfig: ClientConfig;
}
type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;
const configurationKinds = { mutating: MutatingWebhookConfiguration, validating: ValidatingWebhookConfiguration };
type Type = keyof typeof configurationKinds;
const types: readonly Type[] = ['mutating', 'validating'];

/** Registers an operator's webhooks with the API server, and keeps the registration up to date. */
export class Registration {
  readonly #options: RegistrationOptions;
  /** Definitions that were not there when they were looked for: logged once each. */
  readonly #missing = new Set<string>();
  /** Definitions that another operator converts: logged once each. */
  readonly #left = new Set<string>();
  /** Own webhooks that were last missing in a configuration, by its kind: logged once. */
  readonly #lacking = new Map<string, string>();

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  /** Everything as the code says it: once, at the start. Later a newer version of the operator may have written other things. */
  async register(endpoint: WebhookEndpoint): Promise<void> {
    const wanted = this.#configurations(endpoint);
    // One that is refused ends the start: the other would be left behind, and refuse requests while nobody answers.
    if (wanted.mutating !== undefined && wanted.validating !== undefined) await this.#apply(wanted.validating, true);
    for (const type of types) {
      const found = await this.#find(type);
      if (found !== undefined) this.#checkOwn(type, found, endpoint);
      const configuration = wanted[type];
      if (configuration !== undefined) await this.#apply(configuration);
      // What points here and is no longer served would refuse every request.
      else if (found !== undefined) await this.#options.client.delete(found);
    }
    await this.keep(endpoint);
  }

  /**
   * Whoever signs certificates is trusted wherever the operator's webhooks are named; what was deleted comes back. True where
   * nothing was left to write: then every configuration was seen to trust the whole bundle.
   */
  async keep(endpoint: WebhookEndpoint): Promise<boolean> {
    let settled = true;
    const wanted = this.#configurations(endpoint);
    for (const type of types) {
      const configuration = wanted[type];
      if (configuration === undefined) continue;
      const found = await this.#find(type);
      if (found === undefined) {
        await this.#apply(configuration);
        settled = false;
      } else if (await this.#trust(found, configuration)) settled = false;
    }
    for (const kind of this.#options.kinds) if (await this.#convert(kind, endpoint)) settled = false;
    return settled;
  }

  #configurations(endpoint: WebhookEndpoint): Record<Type, Configuration | undefined> {
    return configurationsOf(this.#options.operator, this.#options.webhooks, endpoint);
  }

  #find(type: Type): Promise<Configuration | undefined> {
    const { client, operator } = this.#options;
    return type === 'mutating'
      ? client.find(configurationKinds.mutating, operator)
      : client.find(configurationKinds.validating, operator);
  }

  async #apply(configuration: Configuration, dryRun = false): Promise<void> {
    try {
      // Ours by its label: what somebody changed in it by hand is changed back.
      await this.#options.client.apply(configuration, { manager: this.#options.operator, force: true, dryRun });
    } catch (cause) {
      if (!isInvalid(cause)) throw cause;
      // Trying again does not help: an expression that does not compile today will not tomorrow.
      throw new KilterError('WEBHOOK_CONFIGURATION_INVALID', inWords(cause), { cause });
    }
  }

  #checkOwn(type: Type, { metadata, webhooks = [] }: Configuration, { service }: WebhookEndpoint): void {
    const { operator } = this.#options;
    const what = `the ${configurationKinds[type].names.kind} ${operator}`;
    if (metadata.labels?.[operatorLabel] !== operator) {
      throw new KilterError('WEBHOOK_NAME_TAKEN', `${what} was not made by this operator`);
    }
    // One that is reached by URL does not succeed one in the cluster: more likely it is tried out beside it.
    const other = webhooks
      .map(({ clientConfig }) => clientConfig.service)
      .find((one) => one !== undefined && one.namespace !== service?.namespace);
    if (other === undefined) return;
    const message = `${what} belongs to an operator of the same name: it names the Service ${other.namespace}/${other.name}`;
    throw new KilterError('WEBHOOK_NAME_TAKEN', message);
  }

  /** Whether something had to be written. */
  async #trust(found: Configuration, wanted: Configuration): Promise<boolean> {
    const all = (wanted.webhooks ?? []) as readonly Called[];
    this.#tellLacking(found, all);
    const own = new Map(all.map(({ name, clientConfig }) => [name, clientConfig]));
    const [{ clientConfig: { caBundle: bundle } } = { clientConfig: {} as ClientConfig }] = all;
    const behind = ({ name, clientConfig }: Called): ClientConfig | undefined => {
      // One that another version of this operator declares is served with the same certificates.
      const { url = clientConfig.url, caBundle = clientConfig.caBundle } = own.get(name) ?? { caBundle: bundle };
      const isFound = clientConfig.url === url && clientConfig.caBundle === caBundle;
      return isFound ? undefined : (own.get(name) ?? { ...clientConfig, ...(caBundle !== undefined && { caBundle }) });
    };
    if (!(found.webhooks ?? []).some((one) => behind(one as Called) !== undefined)) return false;
    return this.#unlessOvertaken(async () => {
      await this.#options.client.edit(found as ValidatingWebhookConfiguration, (draft) => {
        for (const one of draft.webhooks ?? [])
          Object.assign(one, { clientConfig: behind(one as Called) ?? one.clientConfig });
      });
    });
  }

  /** A webhook that is not registered refuses nothing: whoever relies on it has to know. */
  #tellLacking(found: Configuration, wanted: readonly Called[]): void {
    const present = new Set((found.webhooks ?? []).map(({ name }) => name));
    const lacking = wanted.map(({ name }) => name).filter((name) => !present.has(name));
    const told = lacking.join(', ');
    if (told !== '' && told !== this.#lacking.get(found.kind)) {
      const who = 'another version of this operator, or another operator of the same name, wrote it';
      this.#options.logger.warn(`the ${found.kind} ${found.metadata.name} lacks ${told}: ${who}`);
    }
    this.#lacking.set(found.kind, told);
  }

  /** The conversion of one kind's definition. Whether something had to be written. */
  async #convert({ names }: Convertible, endpoint: WebhookEndpoint): Promise<boolean> {
    const { client, logger } = this.#options;
    const name = `${names.plural}.${names.group}`;
    const found = await client.find(CustomResourceDefinition, name);
    if (found === undefined) {
      if (!this.#missing.has(name))
        logger.warn(
          `${kindLabel(names)} has no definition in the cluster; once it is installed, its conversion is added`,
        );
      this.#missing.add(name);
      return false;
    }
    this.#missing.delete(name);
    const claim = { operator: this.#options.operator, uses: this.#options.used.has(kindLabel(names)) };
    const other = otherConverter(found, claim, endpoint);
    if (other !== undefined) {
      const cure = `if that operator is gone, remove the annotation ${converterAnnotation} from the definition ${name}`;
      if (!this.#left.has(name)) logger.warn(`${kindLabel(names)} is left to ${other}, which converts it; ${cure}`);
      this.#left.add(name);
      return false;
    }
    this.#left.delete(name);
    const wanted = conversionConfigAt(endpoint);
    const { conversion } = found.spec;
    const converter = converterOf(claim);
    const now = conversion?.webhook?.clientConfig;
    // Without a bundle of ours, whoever wrote one is left alone.
    const compared = wanted.caBundle === undefined ? { ...wanted, caBundle: now?.caBundle } : wanted;
    const isClaimed = found.metadata.annotations?.[converterAnnotation] === converter;
    if (isClaimed && conversion?.strategy === 'Webhook' && deepEqual(now, compared)) return false;
    return this.#unlessOvertaken(async () => {
      await client.edit(found, (draft) => {
        draft.metadata.annotations = { ...draft.metadata.annotations, [converterAnnotation]: converter };
        draft.spec.conversion = {
          strategy: 'Webhook',
          webhook: { clientConfig: compared as never, conversionReviewVersions: ['v1'] },
        };
      });
      logger.info(`${kindLabel(names)} is converted by this operator`);
    });
  }

  /** Written, or written by somebody else in this moment: either way it is looked at again. */
  async #unlessOvertaken(write: () => Promise<void>): Promise<boolean> {
    try {
      await write();
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    return true;
  }
}
