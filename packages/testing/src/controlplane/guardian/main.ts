// The guardian: a small process between a test and the servers it starts. It starts them, keeps their logs, and ends
// them when the test's process is gone, however that ended: its end closes the pipe that is this process's stdin.
// A signal that asks this process to go does the same: what ends every process of a name or a user ends the test as well.
// It uses nothing but Node, so that it is up in some ten milliseconds.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, line, Lines, type Report } from './messages.ts';
import { removeFolder } from './remove-folder.ts';
import { Wards } from './wards.ts';

const [parent = '.', keep = ''] = process.argv.slice(2);

// What ends now was ended from here, and whoever still listens hears why from the end of this process.
let ending = false;

function report(message: Report): void {
  if (!ending) process.stdout.write(line(message));
}

function makeFolder(): string {
  try {
    return mkdtempSync(join(parent, 'kilter-control-plane-'));
  } catch (error) {
    process.stderr.write(`because of ${String(error)}`);
    process.exit(1);
  }
}

const folder = makeFolder();
const wards = new Wards(report);
const commands = new Lines<Command>();

// Whoever read the reports is gone: the end of stdin says so, and what is to be done follows from that.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk: string) => {
  for (const command of commands.take(chunk)) {
    if (ending) return;
    if (command.do === 'start') wards.start(command);
    else wards.signal(command);
  }
});

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await wards.end();
  removeFolder(folder, keep !== '');
  process.exit(code);
}
for (const event of ['end', 'error', 'close']) process.stdin.on(event, () => void end(0));
for (const [name, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 })) {
  // oxlint-disable-next-line rooms/no-process-on -- its own program, not a library in somebody else's.
  process.on(name, () => {
    process.stderr.write(`because of ${name}`);
    void end(128 + number);
  });
}

report({ is: 'ready', folder });
