const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `3m20s`; the smaller unit is left out when it is nothing. */
function pair(ms: number, big: [number, string], small: [number, string]): string {
  const rest = Math.floor((ms % big[0]) / small[0]);
  return `${Math.floor(ms / big[0])}${big[1]}${rest === 0 ? '' : `${rest}${small[1]}`}`;
}

/** Two or three digits of a duration, in kubectl's steps: 119s, 3m20s, 42m, 7h5m, 30h, 2d4h, 100d, 3y12d, 9y. */
export function humanDuration(ms: number): string {
  // Clocks of two machines may disagree a little; beyond that the time is wrong.
  if (ms <= -2 * second) return '<invalid>';
  if (ms < 0) return '0s';
  if (ms < 2 * minute) return `${Math.floor(ms / second)}s`;
  if (ms < 10 * minute) return pair(ms, [minute, 'm'], [second, 's']);
  if (ms < 3 * hour) return `${Math.floor(ms / minute)}m`;
  if (ms < 8 * hour) return pair(ms, [hour, 'h'], [minute, 'm']);
  if (ms < 2 * day) return `${Math.floor(ms / hour)}h`;
  if (ms < 8 * day) return pair(ms, [day, 'd'], [hour, 'h']);
  const year = 365 * day;
  if (ms < 2 * year) return `${Math.floor(ms / day)}d`;
  if (ms < 8 * year) return pair(ms, [year, 'y'], [day, 'd']);
  return `${Math.floor(ms / year)}y`;
}
