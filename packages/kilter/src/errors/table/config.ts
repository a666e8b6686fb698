export const configCodes = {} as const;
