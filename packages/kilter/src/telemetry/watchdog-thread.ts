/**
 * The program of the watchdog's thread, as text: an operator may be bundled into one file, where a thread would find no file of
 * its own. It writes to the file descriptor, because the streams of a thread are served by the very thread that is stuck.
 *
 * Between two of its looks it counts no more than three of them: a process that was stopped as a whole, or a machine that slept, has
 * not been stuck.
 */
export const watchdogThread = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const { memory, limit, look, question } = workerData;
const shared = new Int32Array(memory);
let seen = -1;
let still = 0;
let last = performance.now();
let told = false;
let running = [];
/** Open from the look inside to the end of the stall: closing it waits for the thread that is stuck. */
let session;
/** What the line about a stall says, while it waits for an answer from inside. */
let telling;

/** Where nobody reads, the line is lost; what follows it, the end of the process above all, is not. */
const say = (level, msg, fields) => {
  try {
    writeSync(2, JSON.stringify({ time: Date.now(), level, msg, logger: 'watchdog', ...fields }) + '\\n');
  } catch (error) {
    if (error.code === undefined) throw error;
  }
};

/** The one line about this stall; says nothing the second time. */
function tellStall(found) {
  if (telling === undefined) return;
  const { stalledMs } = telling;
  telling = undefined;
  if (typeof found.running === 'string') running = JSON.parse(found.running);
  say(50, 'the event loop is stuck: nothing else runs, and the Lease is not renewed', { stalledMs, running, stack: found.stack });
}

/** Stops the main thread where it is, asks it what runs, and lets it continue. */
function lookInside() {
  try {
    const { Session } = require('node:inspector');
    session = new Session();
    session.connectToMainThread();
    const scripts = new Map();
    session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params.url));
    session.once('Debugger.paused', ({ params: { callFrames } }) => {
      const stack = callFrames.slice(0, 20).map(({ functionName, location }) =>
        (functionName || '(anonymous)') + ' (' + (scripts.get(location.scriptId) ?? '') + ':' + (location.lineNumber + 1) + ')');
      const callFrameId = callFrames[0].callFrameId;
      session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression: question, returnByValue: true }, (_, answered) => {
        session.post('Debugger.resume', () => tellStall({ stack, running: answered?.result?.value }));
      });
    });
    session.post('Debugger.enable', () => session.post('Debugger.pause'));
  } catch (error) {
    tellStall({ stack: [String(error)] });
  }
}

setInterval(() => {
  const beat = Atomics.load(shared, 0);
  const now = performance.now();
  const passed = Math.min(now - last, look * 3);
  last = now;
  // Somebody has a debugger open, which explains it.
  if (beat !== seen || Atomics.load(shared, 1) === 1) {
    tellStall({ stack: ['(it continued before its stack could be read)'] });
    session?.disconnect();
    session = undefined;
    if (told) say(40, 'the event loop is running again', { stalledMs: Math.round(still) });
    seen = beat;
    still = 0;
    told = false;
    running = [];
    return;
  }
  still += passed;
  if (!told && still >= limit / 2) {
    told = true;
    telling = { stalledMs: Math.round(still) };
    lookInside();
  }
  if (still < limit) return;
  // On a machine with much to do the answer takes its time: it is waited for until the end. In native code there is nothing to stop.
  tellStall({ stack: ['(in native code)'] });
  say(60, 'the event loop has been stuck for too long: the process is ended', { stalledMs: Math.round(still), running });
  process.kill(process.pid, 'SIGKILL');
}, look);
`;
