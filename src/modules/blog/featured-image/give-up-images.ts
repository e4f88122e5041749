import type { Transaction } from '../../../context.ts'
import { giveUpPictures } from '../../../pictures/release-pictures.ts'
import type { PostRow } from '../queries.ts'

/** For posts that are deleted or get another image: their image files are deleted after the transaction commits. */
export const giveUpImages = (tx: Transaction, posts: readonly Pick<PostRow, 'featured_image_key'>[]): Promise<void> =>
  giveUpPictures(
    tx,
    posts.flatMap(({ featured_image_key: key }) => (key === null ? [] : [key])),
  )
