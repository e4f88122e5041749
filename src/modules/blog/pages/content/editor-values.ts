import type { PostType } from '../../post-type-provider.ts'
import type { ShownPost } from '../../schemas.ts'
import type { EditorValues } from './field-inputs.ts'
import { fieldText } from './field-inputs.ts'
import { toLocalInput } from './local-time.ts'

export function editorValuesOf(post: ShownPost, type: PostType, timeZone: string | null): EditorValues {
  const categories = post.categories.map(({ id }) => [`category_${id}`, 'on'])
  const fields = type.fields.flatMap((field) => fieldText(field, post.fields?.[field.name], timeZone))
  return {
    title: post.title,
    slug: post.slug,
    lang: post.lang,
    post_type: type.key,
    body: post.body ?? '',
    body_format: post.body_format,
    excerpt: post.excerpt,
    visibility: post.visibility,
    scheduled_at: toLocalInput(post.scheduled_at, timeZone),
    tags: post.tags.map(({ name }) => name).join(', '),
    comments_enabled: post.comments_enabled ? 'on' : undefined,
    expected_updated_at: post.updated_at,
    ...Object.fromEntries([...categories, ...fields]),
  }
}

export const emptyValues = (type: PostType, lang: string): EditorValues => ({
  lang,
  post_type: type.key,
  body_format: type.bodyFormats[0],
  visibility: type.defaultVisibility,
  comments_enabled: 'on',
})
