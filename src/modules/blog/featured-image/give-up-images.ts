import type { Transaction } from '../../../context.ts'
import { giveUpPictures } from '../../../pictures/release-pictures.ts'
import type { PostRow } from '../queries.ts'

/** Of posts that are gone, or have another image from now on: the files that were theirs go with the change. */
export const giveUpImages = (tx: Transaction, posts: readonly Pick<PostRow, 'featured_image_key'>[]): Promise<void> =>
  giveUpPictures(
    tx,
    posts.flatMap(({ featured_image_key: key }) => (key === null ? [] : [key])),
  )
