export const queueCodes = {} as const;
