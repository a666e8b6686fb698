/** Strings that many records share, each kept once, by number. It only grows, up to the bounds of the encoder that fills it. */
export class StringPool {
  readonly strings: string[] = [];
}
