import { apiVersionOf, formatTime } from 'kilter/api';
import { type Call, writeOptions } from '../calls/index.ts';
import { decodeBody, placeObject } from '../decoding/index.ts';
import type { Served } from '../kinds/index.ts';
import { methodNotAllowed } from '../status/index.ts';
import { metadataOf, textIn } from '../values/index.ts';
import { actionOf, performAction } from './actions.ts';
import type { Core } from './core.ts';
import { ownNew } from './ownership.ts';
import { postObject } from './pipeline.ts';
import { creationOf, type Written } from './write.ts';

/** Kinds that are posted to a subresource by another name: the object they name is in the body. */
const otherNames: Readonly<Record<string, { readonly bucket: string; readonly subresource: string }>> = {
  '/bindings': { bucket: '/pods', subresource: 'binding' },
};

/** Decodes a question, has it judged, and answers it; nothing is stored. */
export async function answerQuestion(core: Core, served: Served, call: Call): Promise<Written> {
  const { definition } = served;
  const { answering } = definition.strategy;
  if (answering === undefined) return elsewhere(core, served, call);
  const options = writeOptions(call);
  const { object, warnings } = decodeBody(call, options);
  placeObject(object, call);
  const creation = creationOf(core, { served, object, options, tracked: false });
  ownNew(creation);
  const posted = { served, object: creation.object, options, subresource: undefined };
  const { object: sent, warnings: admitted } = await postObject(core, posted, call.user);
  const answer = await answering.answer({
    kind: definition.kind,
    apiVersion: apiVersionOf(definition),
    sent,
    user: call.user,
    now: () => formatTime(core.clock.now()),
  });
  return { object: answer, warnings: [...warnings, ...admitted] };
}

async function elsewhere(core: Core, { bucket }: Served, call: Call): Promise<Written> {
  const other = otherNames[bucket];
  const served = other && core.catalog.storedIn(other.bucket);
  if (other === undefined || served === undefined) throw methodNotAllowed();
  if (actionOf(served.definition, other.subresource) === undefined) throw methodNotAllowed();
  const { object } = decodeBody(call, writeOptions(call));
  const asked = { ...call, resource: served.definition, subresource: other.subresource };
  return performAction(core, served, { call: asked, name: textIn(metadataOf(object), 'name') });
}
