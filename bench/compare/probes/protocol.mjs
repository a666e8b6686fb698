// How a measured process reports: one argument says what to do, lines of JSON say what was seen, words on stdin ask for more.
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';

export const task = JSON.parse(process.argv[2]);
export const sentAnnotation = 'bench.example.com/sent';

export function say(report) {
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

export function used() {
  const { user, system } = process.cpuUsage();
  return { at: performance.now(), cpu: (user + system) / 1000 };
}

function peak() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}

/** What was used since, with the memory of now. */
export function since(start) {
  const now = used();
  return { wall: now.at - start.at, cpu: now.cpu - start.cpu, rss: process.memoryUsage.rss(), peak: peak() };
}

export function percentiles(values) {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const at = (share) => sorted[Math.floor((sorted.length - 1) * share)];
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** The delay of the event loop as a clock sees it, and as CPU of this thread, which a busy machine does not change. */
export function delays() {
  if (!task.delays) return { reset: () => undefined, read: () => ({}) };
  const seen = monitorEventLoopDelay({ resolution: 1 });
  seen.enable();
  let turns = [];
  let spent = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(spent);
    spent = process.threadCpuUsage();
    turns.push((user + system) / 1000);
  }, 1).unref();
  return {
    reset: () => {
      seen.reset();
      turns = [];
    },
    read: () => {
      const own = percentiles(turns);
      return {
        delayP99: seen.percentile(99) / 1e6,
        delayMax: seen.max / 1e6,
        turnP99: own?.p99 ?? 0,
        turnMax: own?.max ?? 0,
      };
    },
  };
}

/** Counts runs from a mark on, and says when as many as expected were seen. */
export class Counter {
  #start = used();
  #delays = delays();
  #runs = 0;
  #expected = task.count;
  #word = 'settled';
  #synced = false;
  #latencies = [];

  /** Every run begins with it. */
  begin(object) {
    if (!this.#synced) {
      this.#synced = true;
      say({ at: 'synced', ...since(this.#start), ...this.#delays.read() });
      this.#delays.reset();
      this.#start = used();
    }
    if (!task.stamped) return;
    const sent = Number(object.metadata.annotations[sentAnnotation]);
    if (sent > 0) this.#latencies.push((performance.timeOrigin + performance.now()) * 1000 - sent);
  }

  /** And ends with it. */
  end() {
    this.#runs += 1;
    if (this.#runs !== this.#expected) return;
    this.#expected = undefined;
    const latency = percentiles(this.#latencies);
    // One turn later, so that the last turn counts among the delays.
    setTimeout(() => say({ at: this.#word, ...report, ...this.#delays.read() }), 5);
    const report = { ...since(this.#start), runs: this.#runs, latency };
  }

  listen() {
    commands({
      mark: (count) => {
        this.#runs = 0;
        this.#expected = count;
        this.#word = 'done';
        this.#latencies = [];
        this.#delays.reset();
        this.#start = used();
        say({ at: 'marked' });
      },
      usage: () => say({ at: 'usage', ...since(this.#start) }),
    });
  }
}

export function commands(known) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const [word, number] = line.split(' ');
    if (word === 'end') process.exit(0);
    known[word](Number(number));
  });
}

const silent = () => undefined;

/** As loggers are set in production: a line nobody reads is not put together. */
export const logger = {
  debug: silent,
  info: silent,
  warn: silent,
  error: (...told) => say({ complaint: told }),
  child: () => logger,
  isLevelEnabled: (level) => level === 'error',
};

// Whoever measures has gone: nobody is to find this process an hour later.
process.stdin.once('close', () => process.exit(1));

/** One read after the other, counted. */
export function measureReads(what, times, read) {
  let objects = 0;
  const start = used();
  for (let i = 0; i < times; i += 1) objects += read(i);
  say({ at: what, ...since(start), reads: times, objects });
}

process.on('uncaughtException', (error) => {
  say({ failure: String(error?.stack ?? error) });
  process.exit(1);
});
