// What tests and simulators hand to an operator instead of real time, chance and sockets.
export { type ConnectionConfig, loadConfig, type LoadConfigOptions, type LoadedConfig } from './config/index.ts';
export { inShort, optionMistakes, type OptionNames } from './errors/index.ts';
export {
  type Clock,
  type Runtime,
  seededRandom,
  systemRuntime,
  toMilliseconds,
  virtualClock,
  type VirtualClock,
  virtualRuntime,
} from './internal/index.ts';
export { connectTo, type ConnectToOptions } from './manager/index.ts';
export {
  type Connection,
  type ExchangeRequest,
  type ExchangeResponse,
  httpsConnection,
  type HttpsConnectionOptions,
  inMemory,
  type InMemoryHandler,
  type InMemoryOptions,
  type InMemoryRequest,
} from './transport/index.ts';
export {
  type WebhookAnswer,
  type WebhookCall,
  type WebhookEndpoint,
  type WebhookGround,
  webhookHandler,
  type WebhookHandler,
  type WebhookPlace,
  WebhookServer,
} from './webhook/index.ts';
