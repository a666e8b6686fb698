/**
 * Keeps what was made for a key. Keys often come from users, who can invent any number of them: beyond `most`, the
 * least recently used one is dropped, and made again when it is needed.
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
