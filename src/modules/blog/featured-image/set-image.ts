import type { Context, Transaction } from '../../../context.ts'
import { recordEvents } from '../../../events/record.ts'
import { createIntake } from '../../../pictures/intake.ts'
import { giveUpPictures, keepPicture } from '../../../pictures/release-pictures.ts'
import { pathOf } from '../../../users/picture-address.ts'
import { changePost, getEditablePost, type PostWriter } from '../change-post.ts'
import { postEvent } from '../events.ts'
import type { PostRow } from '../queries.ts'
import { updatePost } from '../queries.ts'
import { requireApprovalAgain } from '../require-approval.ts'

/** The name of the multipart field. Older clients use one of the aliases. */
export const part = 'image'
export const aliases = ['file', 'featured_image', 'picture']

const maxSide = 2400

export function createImageUploads(ctx: Context) {
  const take = createIntake(ctx, { maxSide, part, withThumbnail: false })
  return async (writer: PostWriter, id: string, read: () => Promise<Buffer>): Promise<string> => {
    // Access is checked before the upload is read, and again after the post is locked.
    await getEditablePost(ctx, writer, id, await ctx.postTypeProvider.loadFresh(ctx.db))
    return take({ auth: writer.view, device: writer.device, read }, ({ name }) => setImage(ctx, writer, id, name))
  }
}

export const removeImage = (ctx: Context, writer: PostWriter, id: string): Promise<void> =>
  changePost(ctx, writer, id, async (locked) => {
    const { tx, post, now } = locked
    if (post.featured_image === null) return
    await giveUpImages(tx, [post])
    await updatePost(tx.db, id, { featured_image: null, featured_image_key: null, updated_at: now })
    await recordEvents(tx, [postEvent('post.updated', post)])
    await requireApprovalAgain(locked)
  })

const setImage = (ctx: Context, writer: PostWriter, id: string, name: string): Promise<string> =>
  changePost(ctx, writer, id, async (locked) => {
    const { tx, post, now } = locked
    await keepPicture(tx, name)
    await giveUpImages(tx, [post])
    const path = pathOf(name)
    await updatePost(tx.db, id, { featured_image: path, featured_image_key: name, updated_at: now })
    await recordEvents(tx, [postEvent('post.updated', post)])
    await requireApprovalAgain(locked)
    return path
  })

/** After the commit, deletes the image files of posts that were deleted or no longer use these files. */
export const giveUpImages = (tx: Transaction, posts: readonly Pick<PostRow, 'featured_image_key'>[]): Promise<void> =>
  giveUpPictures(
    tx,
    posts.flatMap(({ featured_image_key: key }) => (key === null ? [] : [key])),
  )
