import Type from 'typebox'
import { done, form_token } from '../../../../ui/console/schemas.ts'

const home = '/admin/content'
export const contentPaths = {
  posts: home,
  create: `${home}/new`,
  post: `${home}/posts/:id`,
  remove: `${home}/posts/:id/delete`,
  picture: `${home}/posts/:id/picture`,
  removePicture: `${home}/posts/:id/picture/remove`,
  restore: `${home}/restore`,
  comments: `${home}/comments`,
  tags: `${home}/tags`,
  mergeTag: `${home}/tags/:id/merge`,
  revisions: `${home}/posts/:id/revisions`,
  revision: `${home}/posts/:id/revisions/:revision_id`,
  translations: `${home}/posts/:id/translations`,
  translation: `${home}/posts/:id/translations/:lang`,
  removeTranslation: `${home}/posts/:id/translations/:lang/delete`,
  previewLinks: `${home}/posts/:id/preview-links`,
  revokePreviewLinks: `${home}/posts/:id/preview-links/revoke`,
} as const

export const postPath = (id: string): string => contentPaths.post.replace(':id', id)

export const translationPath = (id: string, lang: string): string =>
  contentPaths.translation.replace(':id', id).replace(':lang', lang)

export const mergePath = (tagId: string): string => contentPaths.mergeTag.replace(':id', tagId)

const word = Type.Optional(Type.String({ maxLength: 300 }))
const field = Type.Optional(Type.String())
const PostId = Type.Object({ id: Type.String() })

export const ContentRoute = {
  summary: 'Blog posts',
  querystring: Type.Object({
    q: word,
    state: word,
    lang: word,
    type: word,
    author: word,
    sort: word,
    page: word,
    done,
  }),
}

/** The form also has the fields `category_<id>` and `field_<name>`. */
const EditorForm = Type.Object(
  {
    action: field,
    title: field,
    slug: field,
    lang: field,
    post_type: field,
    body: field,
    body_format: field,
    excerpt: field,
    visibility: field,
    password: field,
    scheduled_at: field,
    tags: field,
    comments_enabled: field,
    expected_updated_at: field,
    form_token,
  },
  { additionalProperties: true },
)
export const NewPostRoute = { summary: 'Page for writing a post', querystring: Type.Object({ type: word }) }
export const CreatePostFormRoute = { summary: 'Create a post', body: EditorForm }
export const EditorRoute = { summary: 'Page for editing a post', params: PostId, querystring: Type.Object({ done }) }
export const EditorFormRoute = { summary: 'Preview, save or publish a post', params: PostId, body: EditorForm }
export const RemovePostFormRoute = {
  summary: 'Move a post to the trash',
  params: PostId,
  body: Type.Object({ form_token }),
}
export const RestorePostFormRoute = {
  summary: 'Restore a post from the trash',
  body: Type.Object({ id: Type.String(), form_token }),
}
export const PostPictureFormRoute = { summary: "Upload a post's featured image", params: PostId }
export const RemovePostPictureFormRoute = {
  summary: "Remove a post's featured image",
  params: PostId,
  body: Type.Object({ form_token }),
}
export const CreatePreviewLinkFormRoute = {
  summary: 'Create a preview link of a post',
  params: PostId,
  body: Type.Object({ form_token }),
}
export const RevokePreviewLinksFormRoute = {
  summary: 'Revoke the preview links of a post',
  params: PostId,
  body: Type.Object({ form_token }),
}
export const CommentsRoute = {
  summary: 'Comments to moderate',
  querystring: Type.Object({ status: word, page: word, done }),
}
/** The form also has a field `comment_<id>` for each chosen comment. */
export const CommentsFormRoute = {
  summary: 'Moderate comments',
  body: Type.Object({ action: word, status: word, form_token }, { additionalProperties: true }),
}
const TranslationParams = Type.Object({ id: Type.String(), lang: Type.String({ maxLength: 35 }) })
export const TranslationsPageRoute = {
  summary: 'Translations of a post',
  params: PostId,
  querystring: Type.Object({ lang: word, done }),
}
export const TranslationPageRoute = {
  summary: 'Page for translating a post, next to the original',
  params: TranslationParams,
  querystring: Type.Object({ done }),
}
export const TranslationFormRoute = {
  summary: 'Save a translation of a post',
  params: TranslationParams,
  body: Type.Object({ title: field, slug: field, excerpt: field, body: field, version: field, form_token }),
}
export const RemoveTranslationFormRoute = {
  summary: 'Delete a translation of a post',
  params: TranslationParams,
  body: Type.Object({ form_token }),
}
export const TagsPageRoute = {
  summary: 'Tags of the blog',
  querystring: Type.Object({ q: word, page: word, done }),
}
export const MergeTagPageRoute = {
  summary: 'Choose the tag into which a tag is merged, and see how many posts change',
  params: PostId,
  querystring: Type.Object({ q: word, page: word, into: word }),
}
export const MergeTagFormRoute = {
  summary: 'Merge a tag into another tag',
  params: PostId,
  body: Type.Object({ into: Type.String(), form_token }),
}
export const RevisionsRoute = { summary: 'Revisions of a post', params: PostId }
const RevisionId = Type.Object({ id: Type.String(), revision_id: Type.String() })
export const RevisionRoute = { summary: 'What restoring a revision would change', params: RevisionId }
export const RestoreRevisionFormRoute = {
  summary: 'Restore a post revision',
  params: RevisionId,
  body: Type.Object({ expected_updated_at: field, form_token }),
}
