/** Modules declare these names, which are stored in normalized form. A trailing `*` is a wildcard. */
const patterns: string[] = []

export const addWriteOnlyNames = (names: readonly string[]): void => {
  patterns.push(...names.map((name) => (name.endsWith('*') ? `${folded(name)}*` : folded(name))))
}

export function isWriteOnlyName(name: string): boolean {
  const plain = folded(name)
  return patterns.some((one) => (one.endsWith('*') ? plain.startsWith(one.slice(0, -1)) : plain === one))
}

const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
