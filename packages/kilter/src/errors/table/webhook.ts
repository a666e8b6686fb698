export const webhookCodes = {
  WEBHOOK_OPTION_INVALID: {
    cause: 'An option of a webhook, or of how webhooks are served, is invalid.',
    cure: 'correct the option the message names',
  },
  WEBHOOK_PATH_TAKEN: {
    cause: 'Two webhooks of an operator would be served at the same path, so one of them would never be called.',
    cure: 'merge the two functions into one, or give one of them a path of its own: { path }',
  },
  WEBHOOK_REVIEW_INVALID: {
    cause: 'What was sent to a webhook is not a review that it can answer.',
    cure: 'send what the API server sends: a review of admission.k8s.io/v1 or apiextensions.k8s.io/v1 as application/json',
  },
  WEBHOOK_DRAFT_INVALID: {
    cause:
      'A mutating webhook left something in the draft that JSON cannot express, or changed what no webhook may change.',
    cure: 'assign plain JSON, and leave apiVersion, kind, name, namespace and uid as they are',
  },
  WEBHOOK_VALUE_RETURNED: {
    cause: 'The function of a webhook returned a value, which has no meaning: the request is refused.',
    cure: 'refuse with review.deny(…), change the object by assigning to it, and return nothing',
  },
  WEBHOOK_TIMEOUT: {
    cause: 'The function of a webhook did not answer in the time the API server waits.',
    cure: 'pass review.signal to what takes long, or raise its timeout (30s at most)',
  },
  WEBHOOK_PORT_IN_USE: {
    cause: 'The port for webhooks is taken.',
    cure: 'choose another with --webhook-bind-address',
  },
  WEBHOOK_NAME_TAKEN: {
    cause:
      'The webhook configuration of this name belongs to somebody else: another operator, or a manifest applied by hand.',
    cure: 'give the operator another name, or delete the configuration where its owner is gone',
  },
  WEBHOOK_CONFIGURATION_INVALID: {
    cause:
      'The API server refuses the webhook configuration of the operator: an expression in matchConditions does not compile, or an option has a value it does not accept.',
    cure: 'correct what the server names; webhooks[i] counts those of one type, in the order of operator({ webhooks })',
  },
  WEBHOOK_CERTIFICATES_UNREADABLE: {
    cause: 'The certificate files for webhooks are missing, half-written, or do not belong together.',
    cure: 'mount the Secret with tls.crt and tls.key there, or leave the path out: then the operator makes its own',
  },
  WEBHOOK_CERTIFICATES_EXPIRED: {
    cause: 'A certificate file for webhooks or for metrics has expired: callers break off the handshake.',
    cure: 'renew the certificate; with cert-manager, kubectl describe certificate says why it was not renewed',
  },
  WEBHOOK_SECRET_FOREIGN: {
    cause: 'The Secret for webhook certificates contains something the operator did not put there.',
    cure: 'delete the Secret, or name another one: webhookServer.certificates.secret',
  },
  WEBHOOK_SECRET_REFUSED: {
    cause: 'The API server does not let the operator read or write the Secret for webhook certificates.',
    cure: 'bind the rules of operator.permissions() for Secrets, create the namespace, and delete the Secret where it is immutable',
  },
  WEBHOOK_SECRET_CONTESTED: {
    cause: 'Something else keeps changing the Secret for webhook certificates.',
    cure: 'find out what it is (metadata.managedFields), or name another Secret: webhookServer.certificates.secret',
  },
} as const;
