// What the starting process and its guardian say to each other: one JSON object a line, over the guardian's stdin and stdout.

export interface StartCommand {
  readonly do: 'start';
  readonly id: number;
  readonly file: string;
  readonly args: readonly string[];
  /** Where it runs. */
  readonly folder: string;
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** The file where stdout and stderr go. */
  readonly log: string;
}

export interface SignalCommand {
  readonly do: 'signal';
  readonly id: number;
  readonly signal: 'SIGTERM' | 'SIGKILL';
}

export type Command = StartCommand | SignalCommand;

export type Report =
  /** The guardian runs and has made its folder. */
  | { readonly is: 'ready'; readonly folder: string }
  | { readonly is: 'started'; readonly id: number; readonly pid: number }
  /** It never ran. */
  | { readonly is: 'refused'; readonly id: number; readonly why: string }
  /** It has ended, and all it wrote is in its log. */
  | { readonly is: 'ended'; readonly id: number; readonly code: number | null; readonly signal: string | null }
  /** Its output cannot be kept; it continues. */
  | { readonly is: 'unlogged'; readonly id: number; readonly why: string };

export function line(message: Command | Report): string {
  return `${JSON.stringify(message)}\n`;
}

/** Cuts chunks of a stream into complete lines. */
export class Lines<T extends Command | Report> {
  /** The start of a line whose end has not arrived. */
  #rest = '';

  take(chunk: string): T[] {
    const parts = (this.#rest + chunk).split('\n');
    this.#rest = parts.pop() ?? '';
    return parts.filter((part) => part !== '').map((part) => JSON.parse(part) as T);
  }
}
