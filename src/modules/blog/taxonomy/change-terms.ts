import { recordAudit } from '../../../audit/record.ts'
import type { Context, Transaction } from '../../../context.ts'
import { violatedIndex } from '../../../db/errors.ts'
import type { Db } from '../../../db/tables.ts'
import { transact } from '../../../db/transact.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { looksLikeId, newId } from '../../../lib/ids.ts'
import { readAll } from '../../../lib/read-all.ts'
import { lockCaller } from '../../../sessions/authenticate.ts'
import { type PostWriter, slugTaken } from '../change-post.ts'
import { defaultLang, filledField, postLanguageField, slugField, textField } from '../read-members.ts'
import { freeSlug, slugOf } from '../slugs.ts'
import {
  findAncestors,
  findHeight,
  findTerm,
  findTermSlugs,
  insertTerm,
  lockTerms,
  moveChildren,
  removeTerm,
  type TaxonomyTerm,
  type TermChanges,
  type TermKind,
  updateTerm,
} from './queries.ts'
import type { TermInput } from './schemas.ts'

export function createTerm(ctx: Context, writer: PostWriter, kind: TermKind, input: TermInput & { name: string }) {
  const { name = '', lang = defaultLang(ctx.config), slug, ...members } = readTermMembers(input)
  const now = ctx.clock.date()
  const id = newId()
  return changeTerms(ctx, writer, { kind, id, did: 'created' }, async ({ db }) => {
    await assertPlace(db, id, members.parent_id)
    const wanted = slugOf(name, lang, kind)
    const term = { id, name, lang, slug: slug ?? freeSlug(wanted, await findTermSlugs(db, kind, lang, wanted)) }
    await insertTerm(db, kind, { ...members, ...term, created_at: now, updated_at: now })
    return { id, name, slug: term.slug }
  })
}

export function updateTermOf(
  ctx: Context,
  writer: PostWriter,
  { kind, id }: Pick<TermChange, 'kind' | 'id'>,
  input: TermInput,
): Promise<void> {
  const members = readTermMembers(input)
  return changeTerms(ctx, writer, { kind, id, did: 'updated' }, async ({ db }) => {
    await getTerm(db, kind, id)
    await assertPlace(db, id, members.parent_id)
    await updateTerm(db, kind, id, { ...members, updated_at: ctx.clock.date() })
  })
}

/** Posts with the term are not deleted. A deleted category's subcategories move to its parent. */
export function deleteTerm(ctx: Context, writer: PostWriter, kind: TermKind, id: string): Promise<void> {
  return changeTerms(ctx, writer, { kind, id, did: 'deleted' }, async ({ db }) => {
    const { parent_id = null } = await getTerm(db, kind, id)
    if (kind === 'category') await moveChildren(db, id, parent_id, ctx.clock.date())
    await removeTerm(db, kind, id)
  })
}

interface TermChange {
  kind: TermKind
  id: string
  did: 'created' | 'updated' | 'deleted' | 'merged'
  /** The id of the tag that replaces a merged tag. */
  into?: string
}

/** Serializes changes, because two concurrent moves could create a cycle. */
export async function changeTerms<Result>(
  ctx: Context,
  { view, device }: PostWriter,
  change: TermChange,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await transact(ctx, async (tx) => {
      const actor = await lockCaller(tx, view)
      await lockTerms(tx.db, change.kind)
      const result = await work(tx)
      await recordAudit(tx, { event: 'taxonomy_changed', actor, device, details: { ...change } })
      return result
    })
  } catch (error) {
    const index = violatedIndex(error)
    if (index === 'post_categories_name' || index === 'post_tags_name')
      throw new AppError('NAME_TAKEN', { details: [{ field: 'name', message: 'is already taken' }] })
    if (index === 'post_categories_slug' || index === 'post_tags_slug') throw slugTaken()
    throw error
  }
}

export async function getTerm(db: Db, kind: TermKind, id: string): Promise<TaxonomyTerm> {
  const term = looksLikeId(id) ? await findTerm(db, kind, id) : undefined
  if (!term) throw new AppError('NOT_FOUND')
  return term
}

/** The new parent must not be a descendant, and the tree must not become too deep. */
async function assertPlace(db: Db, id: string, parentId: string | null | undefined): Promise<void> {
  if (!parentId) return
  const above = await findAncestors(db, parentId)
  if (above.length === 0) throw invalidField('parent_id', 'must be the id of a category')
  if (above.includes(id)) throw invalidField('parent_id', 'must not be a descendant of the category')
  const height = Math.max(1, await findHeight(db, id))
  if (above.length + height > maxCategoryDepth)
    throw invalidField('parent_id', `must not make the tree deeper than ${maxCategoryDepth} levels`)
}

export const maxCategoryDepth = 8

const maxLengths = { name: 120, description: 500 }

const readTermMembers = (input: TermInput) =>
  readAll((attempt) => {
    const members = {
      name:
        input.name === undefined ? undefined : attempt(() => filledField('name', input.name ?? '', maxLengths.name)),
      slug: input.slug ? attempt(() => slugField(input.slug ?? '')) : undefined,
      lang: input.lang ? attempt(() => postLanguageField('lang', input.lang ?? '')) : undefined,
      description:
        input.description === undefined
          ? undefined
          : attempt(() => textField('description', input.description ?? '', maxLengths.description)),
      parent_id: input.parent_id === undefined ? undefined : attempt(() => parentField(input.parent_id ?? '')),
      sort_order: input.sort_order,
    }
    return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as TermChanges
  })

function parentField(text: string): string | null {
  if (text === '') return null
  if (looksLikeId(text)) return text
  throw invalidField('parent_id', 'must be the id of a category')
}
