import Type from 'typebox'

const word = Type.Optional(Type.String({ maxLength: 300 }))
const form_token = Type.Optional(Type.String({ maxLength: 200, description: "the service's form token" }))
// The API validates the values, and the form displays the API's error.
const field = Type.String()

export const readingPaths = {
  blog: '/blog',
  unlock: '/blog/unlock',
  comment: '/blog/comments',
  preview: '/blog/preview/:token',
} as const

const query = { lang: word, page: word }
export const BlogRoute = { summary: 'Latest posts', querystring: Type.Object({ ...query, q: word }) }

const postQuery = Type.Object({ ...query, reply: word, comments: word, done: word })
export const PostRoute = {
  summary: 'Post page',
  params: Type.Object({ slug: Type.String() }),
  querystring: postQuery,
}
export const PlacedRoute = {
  summary: 'Post page for a type with a prefix, or the posts of a category, tag or author',
  params: Type.Object({ place: Type.String(), slug: Type.String() }),
  querystring: postQuery,
}
export const PreviewRoute = {
  summary: 'Preview of an unpublished post',
  params: Type.Object({ token: Type.String() }),
  querystring: postQuery,
}
export const UnlockRoute = {
  summary: 'Enter the password of a post',
  body: Type.Object({ slug: field, place: word, lang: word, password: field, form_token }),
}
export const CommentRoute = {
  summary: 'Comment on a post',
  body: Type.Object({ post_id: field, slug: field, lang: word, parent_id: word, comment_body: field, form_token }),
}
