export const electionCodes = {} as const;
