// The guardian: a small process between a test and the servers it starts. It starts them, keeps their logs, and ends
// them when the test's process is gone, however that ended: its end closes the pipe that is this process's stdin.
// It uses nothing but Node, so that it is up in some ten milliseconds.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, line, Lines, type Report } from './messages.ts';
import { removeFolder } from './remove-folder.ts';
import { Wards } from './wards.ts';

const [parent = '.', keep = ''] = process.argv.slice(2);

function report(message: Report): void {
  process.stdout.write(line(message));
}

const folder = mkdtempSync(join(parent, 'kilter-control-plane-'));
const wards = new Wards(report);
const commands = new Lines<Command>();

// Whoever read the reports is gone: the end of stdin says so, and what is to be done follows from that.
process.stdout.on('error', () => undefined);
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk: string) => {
  for (const command of commands.take(chunk)) {
    if (command.do === 'start') wards.start(command);
    else wards.signal(command);
  }
});

let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  await wards.end();
  removeFolder(folder, keep !== '');
  process.exit(0);
}
process.stdin.on('end', () => void end());
process.stdin.on('error', () => void end());
process.stdin.on('close', () => void end());

report({ is: 'ready', folder });
