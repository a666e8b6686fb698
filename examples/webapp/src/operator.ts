import { type Logger, operator, type Operator } from 'kilter';
import { webapps } from './controller.ts';
import type { Dns } from './dns.ts';
import { defaults, rules } from './guard.ts';

export const webappOperator = ({ dns, ...options }: { dns: Dns; logger?: Logger }): Operator =>
  operator({
    name: 'webapp-operator',
    controllers: [webapps({ dns })],
    webhooks: [defaults, rules],
    leaderElection: true,
    ...options,
  });
