import type { Db } from '../../../db/tables.ts'
import { AppError, type FieldProblem } from '../../../lib/errors.ts'
import { findCategoryIds, findTagIds, userExists } from './filter-queries.ts'

interface Names {
  category: string | undefined
  tag: string | undefined
  author?: string | undefined
}

export interface FilterIds {
  /** Includes the subcategories. */
  categories: string[] | undefined
  tags: string[] | undefined
}

export async function resolveFilters(db: Db, { category, tag, author }: Names): Promise<FilterIds> {
  const categories = category === undefined ? undefined : await findCategoryIds(db, category)
  const tags = tag === undefined ? undefined : await findTagIds(db, tag)
  const isUser = author === undefined || (await userExists(db, author))
  const details: FieldProblem[] = [
    ...(categories?.length === 0 ? [{ field: 'category', message: 'must be the id or slug of a category' }] : []),
    ...(tags?.length === 0 ? [{ field: 'tag', message: 'must be the id or slug of a tag' }] : []),
    ...(isUser ? [] : [{ field: 'author', message: 'must be the id of a user' }]),
  ]
  if (details.length > 0) throw new AppError('VALIDATION_ERROR', { details })
  return { categories, tags }
}
