const form = /^[a-z0-9-]+\.[a-z0-9]+$/

export function checkedName(name: string): string {
  if (name.length > 100 || !form.test(name)) throw new Error('not the name of a stored file')
  return name
}
