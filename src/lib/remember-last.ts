/** Remembers the last result, for values that several steps of one request compute. */
export function rememberLast<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  let last: { key: Key; value: Value } | undefined
  return (key) => {
    if (last?.key !== key) last = { key, value: compute(key) }
    return last.value
  }
}
