/** A header that an administrator adds to the requests of a webhook. */
export interface Header {
  name: string
  value: string
}

/** Reads one `Name: value` per line. A line without a colon is a name without a value, which validation rejects. */
export const readHeaderLines = (text: string): Header[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...value] = line.split(':')
      return { name: name.trim(), value: value.join(':').trim() }
    })
