import { expect, test } from 'vitest';
import { scheduleProblem, timeZoneProblem } from './cron-schedule.ts';

test.each(['* * * * *', '@every 1h30m', '@hourly', '1,2,3-5/2 * * * MON-FRI', '*/61 * * * *', '0 0 29 feb ?'])(
  '%s is a schedule',
  (schedule) => {
    expect(scheduleProblem(schedule)).toBeUndefined();
  },
);

test.each([
  ['every day', 'expected exactly 5 fields, found 2: [every day]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ['*/-1 * * * *', 'negative number (-1) not allowed: -1'],
  ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
  ['@every 2 days', 'failed to parse duration @every 2 days: time: invalid duration "2 days"'],
  ['@never', 'unrecognized descriptor: @never'],
])('%s is not: %s', (schedule, problem) => {
  expect(scheduleProblem(schedule)).toBe(problem);
});

test.each([
  ['Europe/Berlin', undefined],
  ['UTC', undefined],
  ['US/Pacific', undefined],
  ['America/Port-au-Prince', undefined],
  ['europe/berlin', 'unknown time zone europe/berlin'],
  ['Europe/BeRlin', 'unknown time zone Europe/BeRlin'],
  ['US/pacific', 'unknown time zone US/pacific'],
  ['+01:00', 'unknown time zone +01:00'],
  ['Nowhere/X', 'unknown time zone Nowhere/X'],
  ['local', 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'],
  ['', 'timeZone must be nil or non-empty string'],
])('zone %s: %s', (zone, problem) => {
  expect(timeZoneProblem(zone)).toBe(problem);
});
