import { canonicalHash } from './read-hash.ts'
import { readStrongHash } from './strong.ts'
import { computeWeakDigest, readWeakHash } from './weak.ts'

/** Imported hashes begin with this mark, also Argon2id hashes, so that an index finds those that were not replaced yet. */
const mark = 'imported:'

export const isImportedHash = (stored: string): boolean => stored.startsWith(mark)

/** `imported:<hash>`, or for weak hashes `imported:<recipe>|<hash of the digest in our own format>`. */
export async function storedImport(text: string, hash: (digest: string) => Promise<string>): Promise<string> {
  const canonical = canonicalHash(text)
  const weak = readWeakHash(canonical)
  if (weak) return `${mark}${weak.recipe}|${await hash(weak.digest)}`
  readStrongHash(canonical)
  return mark + canonical
}

/** `verify` checks hashes in our own format. */
export async function verifyImported(
  stored: string,
  password: string,
  verify: (own: string, password: string) => Promise<boolean>,
  decoy: string,
): Promise<boolean> {
  const [imported = '', own] = stored.slice(mark.length).split('|')
  if (own !== undefined) return verify(own, await computeWeakDigest(imported, password))
  const matches = await readStrongHash(imported)(password)
  // A cheap imported hash must not take less time than a hash in our own format.
  await verify(decoy, password)
  return matches
}

/** Hashes of the same kind take the same time: the text up to the salt. */
export const kindOf = (stored: string): string =>
  /^imported:(?:phpass:....|[a-z0-9-]+:\d+|[a-z0-9]+:|(?:\$sha256|\$wp)?\$[^$]+\$(?:v=\d+\$)?[^$]+)/.exec(
    stored,
  )?.[0] ?? stored
