import { column, type Column } from './column.ts';
import { since, text } from './fields.ts';

export const name: Column = column('Name', (object) => text(object, 'metadata', 'name'), {
  format: 'name',
  description: 'The name of the object, unique in its namespace.',
});

export const age: Column = column('Age', (object, now) => since(text(object, 'metadata', 'creationTimestamp'), now), {
  description: 'How long ago the object was created.',
});

export const createdAt: Column = column('Created At', (object) => text(object, 'metadata', 'creationTimestamp'), {
  type: 'date',
  description: 'When the object was created.',
});

/** The name, marked where an annotation makes the object the default of its kind. */
export function defaultableName(...annotations: readonly string[]): Column {
  const cell: Column['cell'] = (object) => {
    const marked = annotations.some((one) => text(object, 'metadata', 'annotations', one) === 'true');
    return `${text(object, 'metadata', 'name')}${marked ? ' (default)' : ''}`;
  };
  return { ...name, cell };
}
