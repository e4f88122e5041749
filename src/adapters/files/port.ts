/**
 * Public files made by the service (never bytes as a user sent them). Names are ours: `[a-z0-9-]+\.[a-z0-9]+`, at most
 * 100 characters; any other name rejects.
 */
export interface FileStore {
  /** `off` when storage is switched off: features that need it answer NOT_CONFIGURED. */
  readonly kind: 'local' | 's3' | 'off'
  /** Resolves once the bytes would survive a crash; readers see the old file or the new one, never half of it. */
  put(name: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** The bytes, or undefined when there is no such file. */
  get(name: string): Promise<Uint8Array | undefined>
  /** Removing a file that is not there is no error. */
  remove(name: string): Promise<void>
}
