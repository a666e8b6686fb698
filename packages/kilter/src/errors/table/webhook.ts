export const webhookCodes = {
  WEBHOOK_UNSUPPORTED: {
    cause: 'Webhooks can be declared, but no server for them is built yet.',
    cure: 'leave `webhooks` out for now',
  },
} as const;
