import type { FastifyReply } from 'fastify'
import type { Context } from '../../../../context.ts'
import { AppError } from '../../../../lib/errors.ts'
import { looksLikeId } from '../../../../lib/ids.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call, type ResponseOf } from '../../../../ui/shared/api-route.ts'
import { hasExtension } from '../../components.ts'
import { ReadByIdRoute } from '../../post-schemas.ts'
import type { PostType } from '../../post-type-provider.ts'
import { findOwnExcerpt } from '../../queries.ts'
import type { ShownPost } from '../../schemas.ts'
import { needsApproval, stateAfterEdit } from '../../states.ts'
import { categorySchemas } from '../../taxonomy/schemas.ts'
import { linksOf } from '../reading/links.ts'
import { contentRightsOf } from './content-visit.ts'
import { editorValuesOf } from './editor-values.ts'
import { type Editor, postEditorPage } from './editor-view.ts'
import type { EditorValues } from './field-inputs.ts'
import { loadPreviewLinks } from './preview-links-panel.ts'
import { contentPaths, postPath } from './schemas.ts'

export interface EditedPost extends Pick<Editor, 'preview' | 'done' | 'rejection'> {
  post: ShownPost | undefined
  type: PostType
  values: EditorValues
  /** The preview link that was just created. */
  previewUrl?: string | undefined
}

/** The type of a new post: the requested type, or the first type that the writer may use. */
export async function typeFor(ctx: Context, member: AdminVisit, key = 'post'): Promise<PostType> {
  if (!contentRightsOf(ctx, member).writes) throw new AppError('FORBIDDEN')
  const types = await typesFor(ctx, member.profile.user.user_type)
  const type = types.find((one) => one.key === key) ?? types[0]
  if (!type) throw new AppError('FORBIDDEN')
  return type
}

/** Users who may read but not change the post get an error page because the API would reject the change. */
export async function loadEditedPost(
  ctx: Context,
  member: AdminVisit,
  id: string,
): Promise<EditedPost & { post: ShownPost }> {
  const rights = contentRightsOf(ctx, member)
  if (!rights.writes) throw new AppError('FORBIDDEN')
  if (!looksLikeId(id)) throw new AppError('NOT_FOUND')
  const post = await member.read(call(ReadByIdRoute, { params: { id } }))
  if (!rights.administers && post.user_id !== member.profile.user.id) throw new AppError('NOT_FOUND')
  const type = (await ctx.postTypeProvider.loadFresh(ctx.db)).typeOf({ post_type: post.post_type ?? 'post' })
  // A derived excerpt in the field would be stored, and would then not follow the text.
  const excerpt = (await findOwnExcerpt(ctx.db, id)) ?? ''
  return { post, type, values: editorValuesOf({ ...post, excerpt }, type, member.profile.user.tmz) }
}

export async function showEditor(
  ctx: Context,
  member: AdminVisit,
  edited: EditedPost,
  status = 200,
): Promise<FastifyReply> {
  const { post, values, type } = edited
  const { sign, profile, area } = member
  const [categories, types, previewLinks] = await Promise.all([
    member.read(call(categorySchemas.list, { query: { limit: 100 } })),
    typesFor(ctx, profile.user.user_type),
    loadPreviewLinks({ ctx, api: member.api, sign }, post, edited.previewUrl),
  ])
  const at = (path: string) => (post ? sign(path.replace(':id', post.id)) : '')
  const editor: Editor = {
    ...{ area, types, writer: profile.user.id, timeZone: profile.user.tmz },
    approval: {
      isNeeded: needsApproval(type, profile.user),
      isLostOnSave: post !== undefined && stateAfterEdit(ctx.config, type, profile.user, post) !== post,
    },
    ...edited,
    categories: inTree(categories),
    readingPath: post && (await readingPathOf(ctx, post)),
    hasPictures: ctx.files.kind !== 'off',
    hasComments: hasExtension(ctx, 'ext-comments'),
    hasTranslations: hasExtension(ctx, 'ext-translations'),
    previewLinks,
    forms: {
      editor: sign(post ? postPath(post.id) : contentPaths.create),
      remove: at(contentPaths.remove),
      picture: at(contentPaths.picture),
      removePicture: at(contentPaths.removePicture),
    },
    values: { ...values, post_type: type.key },
  }
  return member.show((page) => postEditorPage(editor, page), status)
}

type Category = ResponseOf<typeof categorySchemas.list>['data'][number]

async function readingPathOf(ctx: Context, post: ShownPost): Promise<string | undefined> {
  if (!ctx.config.BLOG_PAGES) return undefined
  return linksOf(ctx.config, await ctx.postTypeProvider.load()).pathOf(post)
}

async function typesFor(ctx: Context, userType: string): Promise<PostType[]> {
  const types = await ctx.postTypeProvider.loadFresh(ctx.db)
  return types.all().filter((type) => type.isActive && type.mayCreate(userType))
}

/** Each category is followed by its subcategories. A category whose parent is not in the list is at the top level. */
function inTree<One extends Category>(categories: readonly One[]): (One & { depth: number })[] {
  const known = new Set(categories.map(({ id }) => id))
  const below = (parent: string | null, depth: number): (One & { depth: number })[] =>
    categories
      .filter(({ parent_id }) => (parent_id !== null && known.has(parent_id) ? parent_id : null) === parent)
      .flatMap((one) => [{ ...one, depth }, ...below(one.id, depth + 1)])
  return below(null, 0)
}
