import { sha256Bytes } from '../../../lib/hash.ts'
import { newSecret } from '../../../lib/ids.ts'

const form = /^pvw_[A-Za-z0-9_-]{43}$/

export const newPreviewToken = (): string => `pvw_${newSecret()}`

/** Slugs contain no underscore, so a path segment is either a slug or a preview token. */
export const looksLikePreviewToken = (text: string): boolean => form.test(text)

/** The database stores only this hash. The token has 256 random bits, so the hash needs no key. */
export const previewTokenHash = (previewToken: string): Buffer => sha256Bytes(previewToken)
