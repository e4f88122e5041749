const form = /^[a-z0-9-]+\.[a-z0-9]+$/

/** The name, when it can be nothing but the name of one of our files. */
export function checkedName(name: string): string {
  if (name.length > 100 || !form.test(name)) throw new Error('not a name of a stored file')
  return name
}
