export const triggerCodes = {} as const;
