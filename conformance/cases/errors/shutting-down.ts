import type { Case } from '../../src/case.ts';
import { claim } from '../../src/steps.ts';
import { apiserver, etcd } from '../executables/started.ts';

export const shuttingDown: readonly Case[] = [
  {
    id: 'e12-shutting-down',
    section: 'errors',
    shows: ['API-E12'],
    title: 'a server that stops closes its connections, also those it was not asked on yet',
    steps: [
      etcd,
      apiserver,
      {
        do: 'end',
        name: 'end',
        of: 'apiserver',
        asking: '/api/v1/namespaces/default/configmaps',
        only: ['ended', 'asked'],
        because: 'how long it takes is not the point',
      },
    ],
    claims: [
      claim('no answer, and no connection any more', 'end.asked.closed', { is: true }),
      claim('it ends', 'end.ended', { is: true }),
    ],
  },
];
