import type { Db } from '../../../db/tables.ts'
import { newId } from '../../../lib/ids.ts'
import { isSlug, slugOf } from '../slugs.ts'
import { maxCategoryDepth } from '../taxonomy/change-terms.ts'
import { findAncestors, insertTerm, lockTerms, type TermKind } from '../taxonomy/queries.ts'
import type { FoundTerm } from './import-source.ts'
import { type ImportNote, note } from './notes.ts'
import { shortened } from './plain-text.ts'
import { findTermId } from './queries.ts'

export async function termId(
  db: Db,
  kind: TermKind,
  term: FoundTerm,
  { lang, now }: { lang: string; now: Date },
): Promise<string | undefined> {
  const named = namesOf(term, lang)
  if (!named) return undefined
  const found = await findTermId(db, kind, named)
  if (found !== undefined) return found
  await lockTerms(db, kind)
  const parentId = term.parent && (await termId(db, kind, term.parent, { lang, now }))
  const foundNow = await findTermId(db, kind, named)
  if (foundNow !== undefined) return foundNow
  const id = newId()
  const place = kind === 'category' ? await placeUnder(db, term, parentId) : {}
  await insertTerm(db, kind, { id, ...named, ...place, created_at: now, updated_at: now })
  return id
}

/** If the parent is at the maximum depth, the category moves to the top level. */
async function placeUnder(db: Db, { description = '', sortOrder = 0 }: FoundTerm, parentId: string | undefined) {
  const hasRoom = parentId !== undefined && (await findAncestors(db, parentId)).length < maxCategoryDepth
  return {
    description: shortened(description, maxDescription),
    sort_order: sortOrder,
    parent_id: hasRoom ? parentId : null,
  }
}

export function notesOfTerms(kind: TermKind, terms: readonly FoundTerm[], max: number): ImportNote[] {
  const notes: ImportNote[] = []
  const plural = kind === 'category' ? 'categories' : 'tags'
  if (terms.length > max) notes.push(note(`a post has at most ${max} ${plural}: others are omitted`, `${terms.length}`))
  for (const term of terms.slice(0, max)) {
    const named = namesOf(term, '')
    const { name, slug, description = '' } = term
    if (!named) notes.push(note(`${plural} without a name are omitted`, slug))
    else if (named.name !== name.trim().replace(/\s+/g, ' ')) notes.push(note(`names of ${plural} are shortened`, name))
    if (named && slug !== '' && named.slug !== slug)
      notes.push(note(`slugs of ${plural} are changed`, `${slug} → ${named.slug}`))
    if ([...description].length > maxDescription) notes.push(note(`descriptions of ${plural} are shortened`, name))
  }
  return notes
}

const maxDescription = 500

function namesOf({ name: input, slug, lang: own }: FoundTerm, lang: string) {
  const name = shortened(input.replace(/\s+/g, ' '), 120)
  if (name === '') return undefined
  return { name, slug: isSlug(slug) ? slug : slugOf(name, own ?? lang), lang: own ?? lang }
}
