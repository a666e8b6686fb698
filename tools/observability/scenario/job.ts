import { customResource } from 'kilter/crd';
import { z } from 'zod';

/** What an operator is told to do, for better or worse. */
export class Job extends customResource({
  group: 'observability.example.com',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  spec: z.object({ does: z.enum(['succeed', 'fail', 'dawdle', 'hang']), turn: z.int().default(0) }),
  status: z.object({ turn: z.int().optional() }),
}) {}
