import { type Authority, type CertifiedKey, createAuthority, issue } from 'kilter/certificates';

/** The user that a client certificate names. */
export interface CertifiedUser {
  readonly name: string;
  /** Default: none besides `system:authenticated`. */
  readonly groups?: readonly string[] | undefined;
  /** How long it is valid. Default: 1, and never longer than the server's own authority, which is valid for 30. */
  readonly days?: number | undefined;
}

const authorityDays = 30;
const leafDays = 1;

/** Signs certificates of clients, for listeners that are given no other authority. Made when first asked for. */
export class ClientAuthority {
  readonly #now: () => number;
  #authority: Authority | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** As PEM. */
  get certificate(): string {
    return this.#made().certificate;
  }

  issue({ name, groups = [], days = leafDays }: CertifiedUser): CertifiedKey {
    const subject = { name, organizations: groups, now: this.#now(), days, usage: 'client' as const };
    const { certificate, key } = issue(this.#made(), subject);
    return { certificate, key };
  }

  #made(): Authority {
    this.#authority ??= createAuthority({ name: 'kilter-apiserver-clients', now: this.#now(), days: authorityDays });
    return this.#authority;
  }
}
