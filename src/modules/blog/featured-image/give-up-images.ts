import type { Transaction } from '../../../context.ts'
import { giveUpPictures } from '../../../pictures/release-pictures.ts'
import type { PostRow } from '../queries.ts'

/** Deletes the image files of posts that are deleted or get another image, as part of the transaction. */
export const giveUpImages = (tx: Transaction, posts: readonly Pick<PostRow, 'featured_image_key'>[]): Promise<void> =>
  giveUpPictures(
    tx,
    posts.flatMap(({ featured_image_key: key }) => (key === null ? [] : [key])),
  )
