import type { JsonObject } from 'kilter/api';
import type { AdmissionRequest, AdmissionView } from '../registry/index.ts';
import { notFound } from '../status/index.ts';
import { metadataOf, objectIfIn } from '../values/index.ts';
import { isSelective, selects } from './selector.ts';

type Labels = Readonly<Record<string, string>>;

const namespaces = { group: '', plural: 'namespaces' };

const labelsOf = (object: JsonObject): Labels => (objectIfIn(metadataOf(object), 'labels') ?? {}) as Labels;

/** Whom a webhook, policy or binding selects by labels. */
export interface Selecting {
  readonly namespaceSelector: JsonObject | undefined;
  readonly objectSelector: JsonObject | undefined;
}

/** The labels a namespace selector looks at: a Namespace that is written has its own. */
function namespaceLabels(request: AdmissionRequest, view: AdmissionView): Labels {
  const { resource, subresource, operation, object, namespace } = request;
  const isNamespace = resource.plural === 'namespaces' && subresource === undefined;
  if (isNamespace && object !== undefined && (operation === 'create' || operation === 'update'))
    return labelsOf(object);
  const found = view.object(namespaces, namespace);
  if (found === undefined) throw notFound(namespaces, namespace);
  return labelsOf(found);
}

function selectsNamespace(selector: JsonObject | undefined, request: AdmissionRequest, view: AdmissionView): boolean {
  // What is in no namespace is never left out.
  if (request.namespace === '' && request.resource.plural !== 'namespaces') return true;
  return !isSelective(selector) || selects(selector, namespaceLabels(request, view));
}

/** Whether labels of the namespace and of the object, old or new, are selected; throws if there is no such namespace. */
export function selectsRequest(
  { namespaceSelector, objectSelector }: Selecting,
  request: AdmissionRequest,
  view: AdmissionView,
): boolean {
  const objects = [request.object, request.old].filter((object) => object !== undefined);
  const byObject = !isSelective(objectSelector) || objects.some((object) => selects(objectSelector, labelsOf(object)));
  return byObject && selectsNamespace(namespaceSelector, request, view);
}
