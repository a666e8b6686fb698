export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}
