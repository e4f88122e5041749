import Type from 'typebox'
import { describe, Id, pageMembers, Timestamp } from '../../../http/responses/schemas.ts'
import { IdOnly, listMeta, PostHeaders, postResponse, tag } from '../schemas.ts'

const parts = { params: IdOnly, headers: PostHeaders }

export const BookmarkRoute = describe(
  {
    operationId: 'bookmarkPost',
    errors: ['BOOKMARKS_DISABLED', 'NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'Bookmark a post',
    description: 'Has no effect if the post is already bookmarked.',
    tag,
  },
  parts,
  postResponse(Type.Object({ post_id: Id, bookmarked: Type.Literal(true) }), {}),
)
export const RemoveBookmarkRoute = describe(
  {
    operationId: 'removeBookmark',
    errors: ['NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'Remove a bookmark',
    description: "Removes the caller's own bookmark. Has no effect if there is none.",
    tag,
  },
  parts,
  postResponse(Type.Object({ post_id: Id, bookmarked: Type.Literal(false) }), {}),
)
export const ListBookmarksRoute = describe(
  {
    operationId: 'listBookmarks',
    summary: 'List your bookmarks',
    description: 'Newest first. Includes only posts that you can still read.',
    tag,
  },
  { querystring: Type.Object(pageMembers) },
  postResponse(
    Type.Array(Type.Object({ post_id: Id, bookmarked_at: Timestamp, slug: Type.String(), title: Type.String() })),
    listMeta,
  ),
)
