export const certificatesCodes = {} as const;
