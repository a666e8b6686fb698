// Who signs the tokens of service accounts, and how anybody can check them.
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';

export interface IssuerKeys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** The hash of the public key, by which tokens name it. */
  readonly id: string;
}

export const issuer = 'https://kubernetes.default.svc';

function makeKeys(): IssuerKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { privateKey, publicKey, id: createHash('sha256').update(der).digest('base64url') };
}

/** One issuer per server; its keys are made when somebody first asks. */
export class TokenIssuer {
  #keys: IssuerKeys | undefined;

  get keys(): IssuerKeys {
    this.#keys ??= makeKeys();
    return this.#keys;
  }

  /** `/.well-known/openid-configuration` */
  configuration(host: string): Record<string, string | string[]> {
    return {
      issuer,
      jwks_uri: `https://${host}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    };
  }

  /** `/openid/v1/jwks` */
  keySet(): { readonly keys: Record<string, string>[] } {
    const { publicKey, id } = this.keys;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    return { keys: [{ use: 'sig', kty: 'EC', kid: id, crv: 'P-256', alg: 'ES256', x, y }] };
  }
}
