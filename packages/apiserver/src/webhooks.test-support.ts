// Webhooks inside the process: for the tests of this folder.
import type { Json, JsonObject } from 'kilter/api';
import type { ServiceHandler, ServiceRequest, ServiceResolver } from './index.ts';
import type { ServerUnderTest } from './server-under-test.test-support.ts';

export interface ReviewRequest extends JsonObject {
  readonly uid: string;
  readonly operation: string;
  readonly name: string;
}

type Answering = (request: ReviewRequest) => JsonObject | Promise<JsonObject>;

const bytes = (value: Json): Uint8Array => Buffer.from(JSON.stringify(value));

export const reviewOf = ({ body }: ServiceRequest): JsonObject =>
  JSON.parse(Buffer.from(body).toString()) as JsonObject;

/** A webhook that answers what it is told to, and keeps what it was asked. */
export class FakeWebhooks {
  readonly asked: { readonly hook: string; readonly path: string; readonly request: ReviewRequest }[] = [];
  readonly #answers = new Map<string, ServiceHandler>();

  /** Serves the Service `hooks/<name>`. */
  readonly resolver: ServiceResolver = ({ namespace, name }) =>
    namespace === 'hooks' ? this.#answers.get(name) : undefined;

  handler(name: string, handler: ServiceHandler): void {
    this.#answers.set(name, handler);
  }

  /** An admission webhook; what it answers is the response without its uid. */
  admission(name: string, answer: Answering): void {
    this.handler(name, async (call) => {
      const review = reviewOf(call);
      const request = review['request'] as ReviewRequest;
      this.asked.push({ hook: name, path: call.path, request });
      const response = { uid: request.uid, ...(await answer(request)) };
      return {
        status: 200,
        body: bytes({ apiVersion: review['apiVersion'] as string, kind: 'AdmissionReview', response }),
      };
    });
  }

  /** A conversion webhook that changes each object as it is told to. */
  conversion(name: string, convert: (object: JsonObject, to: string) => JsonObject): void {
    this.handler(name, async (call) => {
      const { apiVersion, request } = reviewOf(call) as { apiVersion: string; request: JsonObject };
      const to = request['desiredAPIVersion'] as string;
      this.asked.push({ hook: name, path: call.path, request: request as ReviewRequest });
      const convertedObjects = (request['objects'] as JsonObject[]).map((object) => convert(object, to));
      const response = { uid: request['uid'] as string, result: { status: 'Success' }, convertedObjects };
      return { status: 200, body: bytes({ apiVersion, kind: 'ConversionReview', response }) };
    });
  }

  of(hook: string): ReviewRequest[] {
    return this.asked.filter((one) => one.hook === hook).map(({ request }) => request);
  }
}

export const allow = { allowed: true };
export const deny = (message: string): JsonObject => ({ allowed: false, status: { code: 403, message } });
export const patching = (patch: Json): JsonObject => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
});

/** A webhook of a configuration: for ConfigMaps, by the Service `hooks/<name>`. */
export function webhook(name: string, more: JsonObject = {}): JsonObject {
  return {
    name: `${name}.example.com`,
    clientConfig: { service: { namespace: 'hooks', name, path: `/${name}` } },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  };
}

/** Stores a configuration; it is at work once the answer is there. */
export async function configure(
  api: ServerUnderTest,
  sort: 'Mutating' | 'Validating',
  webhooks: readonly JsonObject[],
): Promise<void> {
  const kind = `${sort}WebhookConfiguration`;
  await api.ok(`POST /apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { generateName: 'c-' },
    webhooks: [...webhooks],
  });
}
