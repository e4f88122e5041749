import { userTypesOf } from '../../config/user-types.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { assertUnchanged, laterThan } from '../../lib/expected-version.ts'
import { newId } from '../../lib/ids.ts'
import { readExpected } from '../blog/read-members.ts'
import {
  changeDefinitions,
  type DefinitionAdministrator,
  getDefinition,
  restrictionColumns,
} from './change-definitions.ts'
import type { CreateDefinitionBody, UpdateDefinitionBody } from './definition-schemas.ts'
import {
  type DefinitionChanges,
  type DefinitionRow,
  insertDefinition,
  nextSortOrder,
  updateDefinition,
} from './queries.ts'
import { type KnownUserTypes, mergedBehaviors } from './read-behaviors.ts'
import { type DefinitionMembers, keyField, readDefinition } from './read-definition.ts'

export function createDefinition(
  ctx: Context,
  admin: DefinitionAdministrator,
  { type_key, ...input }: CreateDefinitionBody,
): Promise<DefinitionRow> {
  const key = keyField(type_key)
  const { behaviors, ...members } = readDefinition(input, knownUserTypes(ctx))
  const stored = mergedBehaviors(key, {}, behaviors ?? {})
  return changeDefinitions(ctx, admin, async ({ tx, now, trace }) => {
    const row = await insertDefinition(tx.db, {
      id: newId(),
      type_key: key,
      sort_order: await nextSortOrder(tx.db),
      ...columnsOf(ctx, members, stored),
      created_at: now,
      updated_at: now,
    })
    await trace({ type_key: key, change: 'created' })
    return row
  })
}

export function updateDefinitionOf(
  ctx: Context,
  admin: DefinitionAdministrator,
  key: string,
  { expected_updated_at, ...input }: UpdateDefinitionBody,
): Promise<DefinitionRow> {
  const expected = readExpected(expected_updated_at)
  const { behaviors, ...members } = readDefinition(input, knownUserTypes(ctx))
  return changeDefinitions(ctx, admin, async (changing) => {
    const before = await getDefinition(changing, key)
    assertUnchanged(before, expected)
    if (key === 'post' && members.is_active === false) throw new AppError('BUILT_IN')
    const stored = behaviors && mergedBehaviors(key, before.behaviors, behaviors)
    const columns = { ...columnsOf(ctx, members, stored), updated_at: laterThan(before, changing.now) }
    const row = await updateDefinition(changing.tx.db, key, columns)
    const names = Object.entries({ ...members, behaviors }).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    )
    await changing.trace({ type_key: key, change: 'updated', members: names })
    return row
  })
}

export const setActive = (ctx: Context, admin: DefinitionAdministrator, key: string, is_active: boolean) =>
  updateDefinitionOf(ctx, admin, key, { is_active })

const knownUserTypes = ({ config, modules }: Context): KnownUserTypes =>
  modules.isInstalled('post-types', 'ext-type-restriction') ? userTypesOf(config) : undefined

function columnsOf(
  ctx: Context,
  { field_schema, ...plain }: Omit<DefinitionMembers, 'behaviors'>,
  behaviors: DefinitionRow['behaviors'] | undefined,
): DefinitionChanges {
  return {
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    ...(field_schema && { field_schema: JSON.stringify(field_schema) }),
    ...(behaviors && { behaviors: JSON.stringify(behaviors), ...restrictionColumns(ctx, behaviors) }),
  }
}
