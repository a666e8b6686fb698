// Where the programs of the peers are put. They are built by `npm run bench:peers`, not by a run of the benches.
import { fileURLToPath } from 'node:url';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const goFolder = at('../peers/controller-runtime');
export const goProgram = at('../peers/controller-runtime/dist/controller-runtime');
export const rustFolder = at('../peers/kube-rs');
export const rustProgram = at('../peers/kube-rs/dist/release/kilter-bench-kube-rs');
