// A real control plane for tests: found, built and run as processes that end with the test, however it ends.
export { type Binaries, findBinaries, type FoundBinaries } from './binaries.ts';
export { type ControlPlane, controlPlane } from './control-plane.ts';
export { installControlPlane, type InstallOptions } from './install/install.ts';
export {
  checkControlPlaneOptions,
  clusterControllers,
  type ControlPlaneOptions,
  workloadControllers,
} from './options.ts';
