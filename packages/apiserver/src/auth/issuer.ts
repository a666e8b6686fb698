// Who signs the tokens of service accounts, and how anybody can check them.
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { algorithmOf } from './jwt.ts';

export interface IssuerKeys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** The hash of the public key, by which tokens name it. */
  readonly id: string;
}

/** The options of service account tokens. */
export interface IssuerOptions {
  /**
   * The issuer of the tokens, and their audience unless another is requested. Default:
   * `https://kubernetes.default.svc`.
   */
  readonly url?: string | undefined;
  /** RSA or ECDSA P-256. Default: a generated key. */
  readonly key?: KeyObject | undefined;
}

function keysOf(privateKey: KeyObject): IssuerKeys {
  const publicKey = createPublicKey(privateKey);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { privateKey, publicKey, id: createHash('sha256').update(der).digest('base64url') };
}

/** One issuer per server; its keys are made when somebody first asks. */
export class TokenIssuer {
  readonly url: string;
  readonly #given: KeyObject | undefined;
  #keys: IssuerKeys | undefined;

  constructor({ url = 'https://kubernetes.default.svc', key }: IssuerOptions = {}) {
    this.url = url;
    this.#given = key;
  }

  get keys(): IssuerKeys {
    this.#keys ??= keysOf(this.#given ?? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
    return this.#keys;
  }

  /** `/.well-known/openid-configuration` */
  configuration(host: string): Record<string, string | string[]> {
    return {
      issuer: this.url,
      jwks_uri: `https://${host}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [algorithmOf(this.keys.publicKey)],
    };
  }

  /** `/openid/v1/jwks` */
  keySet(): { readonly keys: Record<string, string>[] } {
    const { publicKey, id } = this.keys;
    const alg = algorithmOf(publicKey);
    const { x = '', y = '', n = '', e = '' } = publicKey.export({ format: 'jwk' });
    const own = alg === 'RS256' ? { kty: 'RSA', kid: id, alg, n, e } : { kty: 'EC', kid: id, crv: 'P-256', alg, x, y };
    return { keys: [{ use: 'sig', ...own }] };
  }
}
