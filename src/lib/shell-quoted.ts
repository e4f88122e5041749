/** A value as one word of a shell command. The URL parser accepts host names that mean something else to a shell. */
export const shellQuoted = (value: string): string => (isPlain(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`)

const isPlain = (value: string): boolean => /^[\w.:/[\]-]+$/.test(value)
