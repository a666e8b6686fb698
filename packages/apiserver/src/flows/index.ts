// Priority and fairness: which FlowSchema and which priority level a request belongs to. Nothing waits for its turn.
export { type Flow, FlowBook } from './flow-book.ts';
export { danglingCondition } from './priority-levels.ts';
