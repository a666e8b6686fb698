// What tests and simulators hand to an operator in place of real time and chance.
export {
  type Clock,
  type Runtime,
  seededRandom,
  systemRuntime,
  virtualClock,
  type VirtualClock,
  virtualRuntime,
} from './internal/index.ts';
