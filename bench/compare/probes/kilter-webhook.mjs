// Kilter's webhooks as its users get them: an operator with two, over certificate files, that registers nothing.
import { mutating, operator, validating } from 'kilter';
import { customResource } from 'kilter/crd';
import { inMemory } from 'kilter/runtime';
import { z } from 'zod';
import { commands, logger, say, since, task, used } from './protocol.mjs';

class Widget extends customResource({
  group: 'bench.example.com',
  version: 'v1',
  kind: 'Widget',
  spec: z.object({
    size: z.int(),
    color: z.string(),
    parts: z.array(z.object({ name: z.string(), quantity: z.int() })).optional(),
    settings: z.record(z.string(), z.string()).optional(),
  }),
}) {}

const rules = validating(Widget, (widget, review) => {
  if (widget.spec.color.includes(' ')) review.deny('spec.color', 'has a space');
});
const defaults = mutating(Widget, (widget) => {
  widget.metadata.labels['bench.example.com/managed-by'] = 'bench';
});
const nobody = inMemory(() => {
  throw new Error('nothing is asked of a server');
});
let start = used();
const given = operator({ name: 'bench', logger, webhooks: [rules, defaults] });
const certificates = { directory: task.certificates };
const manager = await given.start({
  connection: nobody,
  accessReview: false,
  webhooks: { address: `127.0.0.1:${task.port}`, certificates, register: false },
});
await manager.ready;
commands({
  mark: () => {
    start = used();
    say({ at: 'marked' });
  },
  usage: () => say({ at: 'usage', ...since(start) }),
});
say({ at: 'synced', ...since(start) });
