import type { Client, Operator } from 'kilter';
import type { Connection, WebhookGround, WebhookPlace } from 'kilter/runtime';
import type { Backend } from './backend.ts';
import type { Conversions } from './conversions.ts';
import type { RecordedRequest } from './request-journal.ts';

/** What a backend gives a cluster to stand on. */
export interface Ground {
  readonly backend: Backend;
  /** What operators under test use; its requests are recorded. */
  readonly operators: Connection;
  /** The same as whoever has this token. */
  operatorsAs(token: string): Connection;
  /** What the harness uses. */
  readonly harness: Connection;
  /** How often waiting looks, and for how long unless said otherwise; in milliseconds. */
  readonly patience: {
    readonly interval: number;
    readonly within: number;
    /** After how long a wait says what it waits for; undefined: not before it is in vain. */
    readonly tellAfter?: number;
  };
  /** What only this backend has, by the names that tests know it by. */
  readonly own?: object | undefined;
  /** Where the webhooks of an operator are served, so that this server can call them. */
  webhooks(operator: string): Promise<WebhookPlace | WebhookGround>;
  /** Converts what is installed until an operator does. Undefined where the server could not call it. */
  readonly conversions?: Conversions | undefined;
  /** Aborts when the server is gone and nothing is left to wait for. */
  readonly failure?: AbortSignal | undefined;
  /** Every request answered so far, the harness's own left out; oldest first, bounded. */
  requests(): readonly RecordedRequest[];
  /** The end of what the server has logged, by process. */
  logs?(): Readonly<Record<string, string>>;
  /** What is wrong with all of it, whatever else went wrong because of it. */
  problem(): Error | undefined;
  /** Makes the server ready for tests. */
  prepare?(client: Client): Promise<void>;
  /** Rejects where an operator is not to run here; what it declares is installed. */
  admit?(operator: Operator, client: Client): Promise<void>;
  /** Takes away what the test created, while its operators still run and can clean up after it. */
  tidy?(client: Client): Promise<void>;
  /** Take away what is left, after the operators have ended; one after the other, also where one of them fails. */
  readonly clear?: readonly ((client: Client) => Promise<void>)[] | undefined;
  close(): Promise<void>;
}
