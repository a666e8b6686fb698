// Who may approve and sign requests for certificates: its own right, by the name of the signer.
import type { JsonObject } from 'kilter/api';
import type { User } from '../auth/index.ts';
import { readCertificateRequest } from '../kinds/index.ts';
import type { AdmissionRequest, AdmissionStep } from '../registry/index.ts';
import { forbidden } from '../status/index.ts';
import { isSame, objectIfIn, quote, textIn } from '../values/index.ts';
import type { Authorizer } from './authorizer.ts';

const group = 'certificates.k8s.io';
const clientSigner = 'kubernetes.io/kube-apiserver-client';

const signerOf = (request: JsonObject | undefined): string =>
  textIn(objectIfIn(request ?? {}, 'spec') ?? {}, 'signerName');

/** For this very signer, or for all of its domain. */
function isAllowed(authorizer: Authorizer, user: User, { verb, signer }: { verb: string; signer: string }): boolean {
  const domain = `${signer.split('/', 1)[0] ?? ''}/*`;
  const of = { verb, group, resource: 'signers', subresource: '', namespace: '' };
  return [signer, domain].some((name) => authorizer.decide(user, { ...of, name }).allowed);
}

/** Whether a write of the status says anything of the certificate or of verdicts. */
function changesVerdict({ object, old }: AdmissionRequest): boolean {
  const [now, before] = [object, old].map((one) => objectIfIn(one ?? {}, 'status') ?? {});
  return ['certificate', 'conditions'].some((field) => !isSame(now?.[field], before?.[field]));
}

function refusalOf(authorizer: Authorizer, request: AdmissionRequest): string | undefined {
  const { user, subresource, old, object, operation } = request;
  const signer = signerOf(old ?? object);
  if (subresource === 'approval')
    return isAllowed(authorizer, user, { verb: 'approve', signer })
      ? undefined
      : `user not permitted to approve requests with signerName ${quote(signer)}`;
  if (subresource === 'status')
    return !changesVerdict(request) || isAllowed(authorizer, user, { verb: 'sign', signer })
      ? undefined
      : `user not permitted to sign requests with signerName ${quote(signer)}`;
  if (operation !== 'create' || signer !== clientSigner) return undefined;
  const read = readCertificateRequest(textIn(objectIfIn(object ?? {}, 'spec') ?? {}, 'request'));
  if ('problem' in read) return `failed to parse CSR: ${read.problem}`;
  const isMaster = read.organizations.includes('system:masters');
  return isMaster ? `use of ${clientSigner} signer with system:masters group is not allowed` : undefined;
}

/** Judges approvals and signatures by the rights of whoever gives them, and requests for certificates of those who may do everything. */
export function signerCheck(authorizer: Authorizer): AdmissionStep {
  return {
    validate(request) {
      const { resource, operation, name } = request;
      if (resource.group !== group || resource.kind !== 'CertificateSigningRequest' || operation === 'delete')
        return undefined;
      const message = refusalOf(authorizer, request);
      return message === undefined ? undefined : Promise.reject(forbidden(resource, name, { message }));
    },
  };
}
