// Definitions of custom resources as a backend can serve them.
export { conversionNowhere } from './conversion-nowhere.ts';
export { checkServed, hasStatus, type Installable, isInstallable, servedManifest } from './served-manifest.ts';
