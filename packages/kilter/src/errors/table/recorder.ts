export const recorderCodes = {} as const;
