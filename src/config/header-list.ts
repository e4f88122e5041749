/**
 * Reads the header list of the OpenTelemetry specification: `name=value,other=value`, with percent-encoded values.
 * Throws if an entry has another form.
 */
export const readHeaderList = (list: string): Record<string, string> =>
  Object.fromEntries(
    list.split(',').map((entry) => {
      const [, name = '', value = ''] = /^\s*([!#$%&'*+.^_`|~\w-]+)=(\S*)\s*$/.exec(entry) ?? refuse(entry)
      return [name, decodeURIComponent(value)]
    }),
  )

function refuse(entry: string): never {
  throw new Error(`${entry.split('=')[0]} is not followed by = and a value`)
}
