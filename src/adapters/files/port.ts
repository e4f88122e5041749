/** Public files created by the service. Names match `[a-z0-9-]+\.[a-z0-9]+` and are at most 100 characters long. */
export interface FileStore {
  /** If `off`, features that need storage return NOT_CONFIGURED. */
  readonly kind: 'local' | 's3' | 'off'
  /** Resolves when the file is durable. Readers see either the old or the new file. */
  put(name: string, bytes: Uint8Array, contentType: string): Promise<void>
  get(name: string): Promise<Uint8Array | undefined>
  /** Does nothing if the file does not exist. */
  remove(name: string): Promise<void>
}

const form = /^[a-z0-9-]+\.[a-z0-9]+$/

export function checkedName(name: string): string {
  if (name.length > 100 || !form.test(name)) throw new Error('not the name of a stored file')
  return name
}
