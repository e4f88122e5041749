import { type SealKey, seal, unseal } from '../lib/seal.ts'

/** A header that an administrator adds to the requests of a webhook. */
export interface Header {
  name: string
  value: string
}

/** The values may be credentials. */
export const sealHeaders = (keys: readonly SealKey[], headers: readonly Header[]): string =>
  seal(keys, JSON.stringify(headers))

export const openHeaders = (keys: readonly SealKey[], sealed: string): Header[] => JSON.parse(unseal(keys, sealed))
