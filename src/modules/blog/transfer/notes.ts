export interface ImportNote {
  /** One of a fixed set of sentences so that reports can count identical notes. */
  what: string
  detail?: string
}

const maxDetail = 200

export const note = (what: string, detail?: string): ImportNote =>
  detail === undefined || detail === '' ? { what } : { what, detail: shortened(detail) }

export const noteText = ({ what, detail }: ImportNote): string => (detail === undefined ? what : `${what}: ${detail}`)

export const listed = (names: Iterable<string>): string => {
  const all = [...new Set(names)]
  return all.length <= 10 ? all.join(', ') : `${all.slice(0, 10).join(', ')} and ${all.length - 10} more`
}

export const unreadable = (values: Record<string, [given: unknown, read: unknown]>): ImportNote[] =>
  Object.entries(values)
    .filter(([, [input, read]]) => input !== undefined && input !== null && input !== '' && read === undefined)
    .map(([name, [input]]) => note('a value cannot be read', `${name} ${JSON.stringify(input)}`))

const shortened = (text: string): string => {
  const characters = [...text]
  return characters.length <= maxDetail ? text : `${characters.slice(0, maxDetail).join('')}…`
}
