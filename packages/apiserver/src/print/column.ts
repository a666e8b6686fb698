import type { Json, JsonObject } from 'kilter/api';

/** A column of a table, with the way to its cells. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** Above 0: shown with `-o wide` only. */
  readonly priority: number;
  cell(object: JsonObject, now: number): Json;
}

type Cell = Column['cell'];

export function column(name: string, cell: Cell, options: Partial<Omit<Column, 'name' | 'cell'>> = {}): Column {
  return { name, type: 'string', format: '', description: '', priority: 0, ...options, cell };
}

export function wide(name: string, cell: Cell): Column {
  return column(name, cell, { priority: 1 });
}

export function number(name: string, cell: Cell): Column {
  return column(name, cell, { type: 'integer' });
}

export function flag(name: string, cell: Cell): Column {
  return column(name, cell, { type: 'boolean' });
}
