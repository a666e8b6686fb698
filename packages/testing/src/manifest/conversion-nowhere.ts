/**
 * For a manifest that is only read or cut down: a kind with conversions wants to know where they are served, and nobody
 * ever asks there.
 */
export const conversionNowhere: { readonly url: string } = { url: 'https://conversion.invalid/convert' };
