import type { Context } from '../../context.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { changeDefinitions, type DefinitionAdministrator, getDefinition } from './change-definitions.ts'
import { countPosts, lockDefinition, reassignPosts, removeDefinition } from './queries.ts'

/** Concurrent requests that write posts of this type wait for the lock and are then rejected. */
export const deleteDefinition = (
  ctx: Context,
  admin: DefinitionAdministrator,
  key: string,
  reassignTo: string | undefined,
): Promise<void> =>
  changeDefinitions(ctx, admin, async (changing) => {
    const { db } = changing.tx
    const definition = await getDefinition(changing, key)
    if (definition.is_built_in) throw new AppError('BUILT_IN')
    if (reassignTo !== undefined && (reassignTo === key || !(await lockDefinition(db, reassignTo))))
      throw invalidField('reassign_to', 'must be the key of another post type')
    const posts = await countPosts(db, key)
    if (posts > 0 && reassignTo === undefined)
      throw new AppError('IN_USE', { details: [{ field: 'posts', message: String(posts) }] })
    if (reassignTo !== undefined) await reassignPosts(db, key, reassignTo)
    await removeDefinition(db, key)
    await changing.trace({ type_key: key, change: 'deleted' })
  })
