import { operator, type Operator } from 'kilter';
import { webapps } from './controller.ts';
import type { Dns } from './dns.ts';

export const webappOperator = (deps: { dns: Dns }): Operator =>
  operator({ name: 'webapp-operator', controllers: [webapps(deps)], leaderElection: true });
