import type { Context } from '../../context.ts'
import { invalidField } from '../../lib/errors.ts'
import { laterThan } from '../../lib/expected-version.ts'
import { changeDefinitions, type DefinitionAdministrator } from './change-definitions.ts'
import { findDefinitions, updateDefinition } from './queries.ts'

export interface PostTypeOrder {
  type_key: string
  sort_order: number
}

export function reorderDefinitions(
  ctx: Context,
  admin: DefinitionAdministrator,
  order: readonly (string | Partial<PostTypeOrder>)[],
): Promise<PostTypeOrder[]> {
  const places = order.map(placeOf)
  const keys = places.map(({ type_key }) => type_key)
  const repeated = keys.findIndex((key, index) => keys.indexOf(key) < index)
  if (repeated >= 0) throw invalidField(`order.${repeated}`, 'must not be listed twice')
  return changeDefinitions(ctx, admin, async ({ tx: { db }, now, trace }) => {
    const known = new Map((await findDefinitions(db)).rows.map((row) => [row.type_key, row]))
    const unknown = keys.findIndex((key) => !known.has(key))
    if (unknown >= 0) throw invalidField(`order.${unknown}`, 'must be the key of a post type')
    for (const { type_key, sort_order } of places) {
      const before = known.get(type_key)
      if (!before || before.sort_order === sort_order) continue
      await updateDefinition(db, type_key, { sort_order, updated_at: laterThan(before, now) })
      await trace({ type_key, change: 'reordered' })
    }
    const { rows } = await findDefinitions(db)
    return rows.map(({ type_key, sort_order }) => ({ type_key, sort_order }))
  })
}

function placeOf(input: string | Partial<PostTypeOrder>, index: number): PostTypeOrder {
  if (typeof input === 'string') return { type_key: input, sort_order: index }
  const { type_key, sort_order } = input
  if (typeof type_key !== 'string') throw invalidField(`order.${index}.type_key`, 'must be the key of a post type')
  if (!Number.isInteger(sort_order) || Number(sort_order) < 0 || Number(sort_order) > 10_000)
    throw invalidField(`order.${index}.sort_order`, 'must be a whole number from 0 to 10000')
  return { type_key, sort_order: Number(sort_order) }
}
