import type { Header } from '../lib/header-lines.ts'
import { type SealKey, seal, unseal } from '../lib/seal.ts'

/** Encrypts the headers, because their values may be credentials. */
export const sealHeaders = (keys: readonly SealKey[], headers: readonly Header[]): string =>
  seal(keys, JSON.stringify(headers))

export const openHeaders = (keys: readonly SealKey[], sealed: string): Header[] => JSON.parse(unseal(keys, sealed))
