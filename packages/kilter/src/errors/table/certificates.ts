export const certificatesCodes = {
  CERTIFICATES_INPUT_INVALID: {
    cause: 'A certificate was requested with a name, address or lifetime that X.509 cannot hold.',
    cure: 'correct the value the message names',
  },
  CERTIFICATES_AUTHORITY_INVALID: {
    cause:
      'The authority cannot sign: it is not PEM or not a CA, its key belongs to another certificate, it has expired, or it is not ECDSA.',
    cure: 'make an authority with createAuthority and keep its certificate and key together',
  },
} as const;
