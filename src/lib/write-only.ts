/** Names that modules have declared, folded; `*` at the end of one stands for whatever follows. */
const patterns: string[] = []

/** Values under these names are accepted and never shown again: not in replies, not in the log. */
export const addWriteOnlyNames = (names: readonly string[]): void => {
  patterns.push(...names.map((name) => (name.endsWith('*') ? `${folded(name)}*` : folded(name))))
}

/** Whether a name is that of a write-only member, in any spelling. */
export function isWriteOnlyName(name: string): boolean {
  const plain = folded(name)
  return patterns.some((one) => (one.endsWith('*') ? plain.startsWith(one.slice(0, -1)) : plain === one))
}

const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
