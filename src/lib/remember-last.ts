/** Remembers the last result, for values that several steps of one request compute. */
export function rememberLast<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  let lastKey: Key | undefined
  let lastValue: Value
  return (key) => {
    if (lastKey === key) return lastValue
    lastValue = compute(key)
    lastKey = key
    return lastValue
  }
}
