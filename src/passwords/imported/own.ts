import { limits, UnusableHash } from './limits.ts'
import { readSlowHash } from './slow.ts'

interface Own {
  /** Whether the text is an Argon2id hash with the current parameters. */
  isLikeOwn: boolean
  hasPepper(name: string): boolean
}

/**
 * Returns the hash if it is already in this service's stored form, for example from an export. Otherwise, returns
 * undefined.
 */
export function readStoredHash(text: string, { isLikeOwn, hasPepper }: Own): string | undefined {
  const [, recipe, own] = /^imported:([^|]+)(?:\|(.+))?$/.exec(text) ?? []
  if (recipe !== undefined) {
    if (own !== undefined) assertOwn(own, hasPepper)
    if (!isFastRecipe(recipe) && (readSlowHash(recipe).isStrong || own !== undefined)) return text
    if (isFastRecipe(recipe) && own !== undefined) return text
    throw new UnusableHash('UNKNOWN_HASH')
  }
  if (!isLikeOwn && !/^\{[A-Za-z0-9_-]+\}\$argon2id/.test(text)) return undefined
  assertOwn(text, hasPepper)
  return text
}

const isFastRecipe = (text: string): boolean =>
  text.length <= limits.textLength &&
  /^(phpass:\$[PH]\$[./0-9A-Za-z]{9}|(md5|sha1|sha256|sha512):(before|after):[A-Za-z0-9+/]*)$/.test(text)

/** A hash whose pepper is not configured can never match. */
function assertOwn(text: string, hasPepper: Own['hasPepper']): void {
  const [, pepper, hash = ''] = /^(?:\{([A-Za-z0-9_-]+)\})?(\$argon2id\$v=19\$.+)$/.exec(text) ?? []
  if (pepper !== undefined && !hasPepper(pepper)) throw new UnusableHash('UNKNOWN_HASH')
  readSlowHash(hash)
}
