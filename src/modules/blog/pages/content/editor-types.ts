import type { Context } from '../../../../context.ts'
import type { PostType } from '../../post-type-provider.ts'

export type EditorType = PostType

/** The types that this role may use for new posts. */
export async function typesFor(ctx: Context, userType: string): Promise<EditorType[]> {
  const types = await ctx.postTypeProvider.loadFresh(ctx.db)
  return types.all().filter((type) => type.isActive && type.mayCreate(userType))
}
