import type { Kind } from '../api/index.ts';
import type { Controller } from '../controller/index.ts';
import type { Problem } from '../crd/index.ts';
import type { Logger } from '../telemetry/index.ts';

/** A kind that `customResource` made has them, a built-in one does not. */
const warningsOf = (kind: Kind & { readonly warnings?: readonly Problem[] }): readonly Problem[] => kind.warnings ?? [];

/** Warnings of a definition are logged where it is used: nobody reads a property that is rarely set. */
export function tellWarnings(controllers: readonly Controller[], logger: Logger): void {
  for (const kind of new Set(controllers.map(({ spec }) => spec.kind))) {
    for (const { code, path, message, cure } of warningsOf(kind)) {
      const { kind: name, group } = kind.names;
      logger.warn({ code, path }, `the definition of ${name}.${group}: ${path}: ${message} (${code}: ${cure})`);
    }
  }
}
