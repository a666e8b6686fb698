import { project, ssrOf } from '../../vitest.shared.ts';

export default { ...project('event-recycler'), ssr: ssrOf('examples/event-recycler') };
