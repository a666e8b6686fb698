import { environmentVariable } from '../environment/index.ts';

/** Whether KILTER_KEEP_LOGS asks for the logs to stay. */
export function keepsLogs(): boolean {
  const value = environmentVariable('KILTER_KEEP_LOGS');
  return value !== undefined && !['0', 'false', 'no'].includes(value.toLowerCase());
}
