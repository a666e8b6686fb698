/** Header fields as they are sent; several values of one name are several fields. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** What is before the body of a request on the wire. Checked: nothing in it ends it early. */
export interface RequestHead {
  /** With the query, and with what the address of the server puts before it. */
  readonly path: string;
  readonly fields: Fields;
}
