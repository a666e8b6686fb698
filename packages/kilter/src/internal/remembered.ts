/**
 * What was made for a key, kept for the next time. Keys often come from users, who can invent one after the other: beyond `most`
 * the one that was not used for the longest time is forgotten, and made again when it is asked for.
 */
export function remembered<Key, Value>(make: (key: Key) => Value, most = 50): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    const value = values.has(key) ? (values.get(key) as Value) : make(key);
    values.delete(key);
    values.set(key, value);
    for (const longestUnused of values.keys()) {
      if (values.size <= most) break;
      values.delete(longestUnused);
    }
    return value;
  };
}
