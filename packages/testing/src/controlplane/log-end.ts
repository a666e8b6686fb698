import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { olderHalf } from './guardian/log-file.ts';

// What people read of a log in a failed test: the end, on a screen or two.
const mostBytes = 8 * 1024;

function lastBytes(path: string, most: number): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, most));
    const read = readSync(file, buffer, 0, buffer.length, size - buffer.length);
    return buffer.subarray(0, read).toString('utf8');
  } finally {
    closeSync(file);
  }
}

// A server may print a whole object, or what it made of a template, as one line.
const mostLine = 1000;

/** The last lines of a text, whole ones unless the last one alone is too long. */
export function lastLines(text: string, most: number): string {
  const from = text.length < most ? 0 : text.indexOf('\n') + 1;
  const lines = text.slice(from).trimEnd().split('\n');
  return lines.map((line) => (line.length > mostLine ? `${line.slice(0, mostLine)} …` : line)).join('\n');
}

/** The last lines of a log; empty where there is none. */
export function logEnd(path: string, most: number = mostBytes): string {
  if (!existsSync(path)) return '';
  const end = lastBytes(path, most);
  // A log that was turned a moment ago begins with nothing: what led there is in its older half.
  const before = end.length < most && existsSync(olderHalf(path)) ? lastBytes(olderHalf(path), most - end.length) : '';
  return lastLines(before + end, most);
}

/** As part of a message. */
export function logInWords(name: string, end: string): string {
  return end === '' ? `it wrote nothing to its log (${name})` : `the end of its log:\n${end}\n`;
}
