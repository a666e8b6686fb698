import { inWords } from './disk-space.ts';
import type { InstallEvent, StepNumber, Work } from './events.ts';

export interface Screen {
  /** Whether a line can be written over. */
  readonly terminal: boolean;
  readonly columns: number;
}

/** What has been shown, as far as it decides what is shown next. */
export interface Shown {
  /** On a terminal: an unfinished line stands there, to be written over. */
  readonly open: boolean;
  /** Elsewhere: the `elapsed` of the last line about the work under way. */
  readonly last: number;
  /** The text last shown of another process, which is passed on when it changes. */
  readonly waiting: string;
}

export const nothingShown: Shown = { open: false, last: 0, waiting: '' };

// Logs of CI systems are taken for dead after a while without a line; half a minute is less than any of them allows.
const sayEvery = 20_000;

/** The characters an event adds to the screen. */
export function show(
  shown: Shown,
  event: InstallEvent,
  screen: Screen,
): { readonly shown: Shown; readonly output: string } {
  const text = sentence(event);
  const passing =
    event.type === 'building' || event.type === 'waiting' || (event.type === 'started' && screen.terminal);
  if (screen.terminal) {
    const start = shown.open ? '\r\u001B[2K' : '';
    if (passing) return { shown: { ...shown, open: true }, output: start + fitted(text, screen.columns) };
    return { shown: { ...shown, open: false }, output: `${start}${text}\n` };
  }
  if (!passing) return { shown: { ...shown, last: 0, waiting: '' }, output: `${text}\n` };
  const elapsed = elapsedOf(event);
  const waiting = event.type === 'waiting' ? event.owner : '';
  if (elapsed - shown.last < sayEvery && waiting === shown.waiting) return { shown, output: '' };
  return { shown: { ...shown, last: elapsed, waiting }, output: `${text}\n` };
}

/** What must be written before anybody else writes to the screen. */
export function closing({ open }: Shown): string {
  return open ? '\n' : '';
}

function elapsedOf(event: InstallEvent): number {
  if (event.type === 'building') return event.work.elapsed;
  return event.type === 'waiting' ? event.elapsed : 0;
}

function sentence(event: InstallEvent): string {
  switch (event.type) {
    case 'note':
      return event.text;
    case 'waiting':
      return `${event.text} (${duration(event.elapsed)})`;
    case 'started':
      return `${label(event)}: builds (${event.why})`;
    case 'building':
      return `${label(event)}: ${duration(event.work.elapsed)}${working(event.work)}`;
    case 'built':
      return `${label(event)}: built in ${duration(event.result.elapsed)}, ${inWords(event.result.size)}`;
    case 'ended':
      return `${label(event)}: ${event.failed ? 'failed' : 'stopped'} after ${duration(event.elapsed)}`;
  }
}

function label({ binary, place }: { readonly binary: string; readonly place: StepNumber }): string {
  return `[${place.number}/${place.of}] ${binary}`;
}

function working({ downloaded, compiled, last }: Work): string {
  const counts = [
    ...(downloaded > 0 ? [`${downloaded} modules downloaded`] : []),
    ...(compiled > 0 ? [`${compiled} packages compiled`] : []),
  ];
  return [...counts.map((count) => `, ${count}`), ...(last === '' ? [] : [`, ${last}`])].join('');
}

export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A line that wraps cannot be written over. */
function fitted(text: string, columns: number): string {
  const width = Math.max(columns - 1, 20);
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
