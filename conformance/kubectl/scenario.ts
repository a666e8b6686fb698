/** One command line as a person types it, without `kubectl`; quotes hold words together. */
export interface Command {
  readonly run: string;
  /** What it reads from its standard input. */
  readonly input?: string;
  /** Repeated until it succeeds: for what a controller does in its own time. Only the last run is compared. */
  readonly until?: true;
  /** Prepares what follows, and is itself not compared. */
  readonly setUp?: true;
}

/** Commands that follow each other in their own namespace, which has the scenario's name. */
export interface Scenario {
  readonly id: string;
  /** In the folder the commands run in, by name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly commands: readonly (string | Command)[];
}

/** What became of one command. */
export interface Outcome {
  readonly run: string;
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export const commandOf = (command: string | Command): Command =>
  typeof command === 'string' ? { run: command } : command;

/** The words of a command line. */
export function wordsOf(line: string): string[] {
  const words = line.match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  );
}
