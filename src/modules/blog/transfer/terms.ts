import type { Db } from '../../../db/tables.ts'
import { newId } from '../../../lib/ids.ts'
import { isSlug, slugOf } from '../slugs.ts'
import { deepest } from '../taxonomy/change-terms.ts'
import { findAncestors, holdTerms, insertTerm, type Kind } from '../taxonomy/queries.ts'
import type { FoundTerm } from './found.ts'
import { fitted } from './plain-text.ts'
import { findTermId } from './queries.ts'

/** The category or tag that a file means: the one that is here, or else a new one, with those above it. */
export async function termId(
  db: Db,
  kind: Kind,
  term: FoundTerm,
  { lang, now }: { lang: string; now: Date },
): Promise<string | undefined> {
  const named = namesOf(term, lang)
  if (!named) return undefined
  const found = await findTermId(db, kind, named)
  if (found !== undefined) return found
  await holdTerms(db, kind)
  const parentId = term.parent && (await termId(db, kind, term.parent, { lang, now }))
  const foundNow = await findTermId(db, kind, named)
  if (foundNow !== undefined) return foundNow
  const id = newId()
  const place = kind === 'category' ? await placeUnder(db, term, parentId) : {}
  await insertTerm(db, kind, { id, ...named, ...place, created_at: now, updated_at: now })
  return id
}

/** Where there is no room below the one that is meant, it stands by itself. */
async function placeUnder(db: Db, { description = '', sortOrder = 0 }: FoundTerm, parentId: string | undefined) {
  const hasRoom = parentId !== undefined && (await findAncestors(db, parentId)).length < deepest
  return { description: fitted(description, 500), sort_order: sortOrder, parent_id: hasRoom ? parentId : null }
}

/** What has no name is none. */
function namesOf({ name: given, slug, lang: own }: FoundTerm, lang: string) {
  const name = fitted(given.replace(/\s+/g, ' '), 120)
  return name === '' ? undefined : { name, slug: isSlug(slug) ? slug : slugOf(name), lang: own ?? lang }
}
