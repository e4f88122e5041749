import { timingSafeEqual } from 'node:crypto'
import { computeFastDigest, readFastHash } from './fast.ts'
import { canonicalHash } from './read-hash.ts'
import { readSlowHash } from './slow.ts'

/** Imported hashes, including Argon2id with other parameters, begin with this mark so that an index finds them. */
const mark = 'imported:'

export const isImportedHash = (stored: string): boolean => stored.startsWith(mark)

/** Returns `imported:<hash>` or, for a weak hash, `imported:<recipe>|<own>`, where `own` is our hash of its digest. */
export async function storedImport(text: string, hash: (digest: string) => Promise<string>): Promise<string> {
  const { stored, weak } = readImport(text)
  return weak ? `${stored}|${await hash(weak.digest)}` : stored
}

export function describeImport(text: string): { kind: string; isWeak: boolean } {
  const { stored, weak } = readImport(text)
  const [, name = 'unknown'] = /^imported:\$?((?:wp\$|sha256\$)?(?:2[aby]\$\d\d|[a-z0-9-]+))/.exec(stored) ?? []
  return { kind: name.replace(/2[aby]\$(\d\d)/, 'bcrypt, cost $1').replace('$', ' '), isWeak: weak !== undefined }
}

function readImport(text: string): { stored: string; weak?: { digest: string } } {
  const canonical = canonicalHash(text)
  const fast = readFastHash(canonical)
  if (fast) return { stored: mark + fast.recipe, weak: fast }
  const slow = readSlowHash(canonical)
  return slow.isStrong ? { stored: mark + canonical } : { stored: mark + slow.recipe, weak: slow }
}

/** `verify` checks hashes in our own format. */
export async function verifyImported(
  stored: string,
  password: string,
  verify: (own: string, password: string) => Promise<boolean>,
  decoy: string,
): Promise<boolean> {
  const [imported = '', own] = stored.slice(mark.length).split('|')
  if (own !== undefined) return matchesAny(password, async (form) => verify(own, await digestOf(imported, form)))
  const { digest, compute } = readSlowHash(imported)
  const matches = await matchesAny(password, async (form) => equal(await compute(form), digest))
  // Checking a cheap imported hash must not be faster than checking a hash in our own format.
  await verify(decoy, password)
  return matches
}

/**
 * Other systems hash a password as it is typed. The same characters can be typed in composed and in decomposed form,
 * and `password` is in composed form.
 */
async function matchesAny(password: string, matches: (form: string) => Promise<boolean>): Promise<boolean> {
  const forms = new Set([password, password.normalize('NFD')])
  for (const form of forms) if (await matches(form)) return true
  return false
}

const digestOf = (recipe: string, password: string): Promise<string> =>
  recipe.startsWith('$') ? readSlowHash(recipe).compute(password) : computeFastDigest(recipe, password)

const equal = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))

/** Returns the text up to the salt. Hashes that have this text in common take equally long to check. */
export const kindOf = (stored: string): string =>
  /^imported:(?:phpass:....|[a-z0-9]+:|(?:\$sha256|\$wp)?\$[^$]+\$(?:v=\d+\$)?[^$]+)/.exec(stored)?.[0] ?? stored
