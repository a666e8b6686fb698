import { parse } from 'node:path';
import { KilterError } from 'kilter';
import { environmentWith } from '../../environment/index.ts';
import type { AskOptions } from './ask-version.ts';
import { endedInWords, runChild } from './child.ts';
import { goFactNames, type GoFacts, readGoFacts } from './go-command.ts';
import { goMissing } from './go-error.ts';

/** Asks the go command what it is and where it keeps things. Throws when there is none. */
export async function askGo(go: string, { clock, signal }: AskOptions): Promise<GoFacts> {
  const ended = await runChild(go, ['env', '-json', ...goFactNames], {
    // Outside of every module, so that none of them asks for another version.
    folder: parse(process.execPath).root,
    environment: environmentWith({ GOWORK: 'off' }),
    clock,
    signal,
    patience: 30_000,
  });
  signal?.throwIfAborted();
  if (ended.how === 'unstarted') throw goMissing(ended.error);
  const facts = readGoFacts(ended.stdout);
  if (facts !== undefined) return facts;
  const said = ended.tail === '' ? '' : `, and said:\n${ended.tail}`;
  throw new KilterError('TESTING_GO_MISSING', `\`${go} env\` did not answer like Go: it ${endedInWords(ended)}${said}`);
}
