import { atTime } from '../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import type { PostType } from '../../post-type-provider.ts'
import { formats, type ShownPost, visibilities } from '../../schemas.ts'
import type { ArticleData } from '../reading/post/view.ts'
import { blogTextsFor } from '../texts.ts'
import { editorProblems } from './editor-problems.ts'
import { type EditorValues, fieldInput } from './field-inputs.ts'
import { textOf } from './list-view.ts'
import { type PreviewLinksPanel, previewLinksData } from './preview-links-panel.ts'
import { contentPaths, postPath } from './schemas.ts'
import { contentStyles } from './tabs.ts'

export interface Editor {
  area: AdminArea
  /** The id of the signed-in user. */
  writer: string
  /** Undefined for a new post. */
  post: ShownPost | undefined
  type: PostType
  types: PostType[]
  approval: {
    /** The user cannot publish a post of this type without approval. */
    isNeeded: boolean
    /** Saving changes returns the post to approval. */
    isLostOnSave: boolean
  }
  values: EditorValues
  categories: { id: string; name: string; depth: number }[]
  /** Returns the template data of the post preview, whose body was rendered by the API. */
  preview?: ((page: PageContext) => ArticleData) | undefined
  timeZone: string | null
  /** The path of the public page. Present only if everyone can read the post. */
  readingPath: string | undefined
  hasPictures: boolean
  hasComments: boolean
  hasTranslations: boolean
  previewLinks: PreviewLinksPanel | undefined
  forms: { editor: string; remove: string; picture: string; removePicture: string }
  done?: string | undefined
  rejection?: ApiRejection | undefined
}

export function postEditorPage(editor: Editor, page: PageContext): string {
  const texts = blogTextsFor(page.lang).content
  const { post, type, values, rejection } = editor
  const problems = editorProblems(page.lang, rejection)
  const hasFields = Object.keys(problems).length > 0
  const path = post ? postPath(post.id) : contentPaths.create
  return renderAdminLayout(
    editor.area,
    {
      template: new URL('./editor.eta', import.meta.url),
      styles: contentStyles,
      scripts: [new URL('./editor.js', import.meta.url)],
      settings: { writer: editor.writer, post: post?.id ?? 'new', version: post?.updated_at ?? '' },
      title: post ? post.title : texts.editor.newTitle,
      parent: { path: contentPaths.posts, label: texts.title },
      done: textOf(texts.done, editor.done),
      doneLink:
        editor.done === 'published' && editor.readingPath
          ? { path: editor.readingPath, label: texts.editor.read }
          : undefined,
      problem: hasFields ? texts.editor.problems : problemText(page.lang, rejection, texts.rejections),
      data: {
        texts,
        path,
        form: { formToken: editor.forms.editor },
        values,
        problems,
        // After a conflict, the page links to the version that is stored now.
        current: rejection?.code === 'EDIT_CONFLICT' ? path : undefined,
        status: post && { label: texts.statuses[post.status], note: statusNote(editor, page) },
        actions: actionsFor(editor),
        types: editor.types.map(({ key, name }) => ({ key, name, isChosen: key === type.key })),
        canChangeType: post === undefined && editor.types.length > 1,
        formats: formats.filter((one) => type.bodyFormats.includes(one)),
        visibilities: visibilities.filter((one) => one !== 'password' || type.allowsPassword),
        fields: type.fields.map((field) => fieldInput(field, values, problems[`fields.${field.name}`])),
        categories: editor.categories.map((category) => ({ ...category, isOn: values[`category_${category.id}`] })),
        preview: editor.preview && { ...editor.preview(page), texts: blogTextsFor(page.lang).reading, page },
        zone: editor.timeZone ?? 'UTC',
        readingPath: editor.readingPath,
        picture: post && editor.hasPictures && pictureOf(post, editor, page.publicUrl),
        hasComments: editor.hasComments,
        passwordHint: post?.password_protected ? texts.editor.passwordHint : texts.editor.newPasswordHint,
        previewLinks: editor.previewLinks && previewLinksData(editor.previewLinks, page, editor.timeZone),
        translations: post && editor.hasTranslations && contentPaths.translations.replace(':id', post.id),
        revisions: post && contentPaths.revisions.replace(':id', post.id),
        remove: post && { path: contentPaths.remove.replace(':id', post.id), formToken: editor.forms.remove },
      },
    },
    page,
  )
}

function statusNote({ post, timeZone }: Editor, page: PageContext): string | undefined {
  const { editor: texts } = blogTextsFor(page.lang).content
  if (post?.status === 'scheduled' && post.scheduled_at)
    return fill(texts.scheduledFor, { time: atTime(page.lang, post.scheduled_at, timeZone) })
  if (post?.status === 'published' && post.published_at)
    return fill(texts.publishedAt, { time: atTime(page.lang, post.published_at, timeZone) })
  return undefined
}

/** The template puts the save button first, because the Enter key in a one-line field presses the first button. */
const actionsFor = ({ post, type, approval }: Editor) => ({
  isPublished: post?.status === 'published',
  isDraft: post === undefined || post.status === 'draft',
  canSchedule: post?.status !== 'published' && type.features.scheduling,
  canPublish: post?.status !== 'published' && !(approval.isNeeded && post?.status === 'pending'),
  canUnpublish: post !== undefined && post.status !== 'draft',
  needsApproval: approval.isNeeded,
  losesApproval: approval.isLostOnSave,
})

const pictureOf = ({ id, featured_image: address }: ShownPost, { forms }: Editor, publicUrl: string) => ({
  address,
  // Pages load nothing from other hosts.
  elsewhere: address !== null && originOf(address, publicUrl) !== originOf(publicUrl) ? address : undefined,
  path: contentPaths.picture.replace(':id', id),
  formToken: forms.picture,
  remove: { path: contentPaths.removePicture.replace(':id', id), formToken: forms.removePicture },
})

const originOf = (address: string, base?: string): string =>
  URL.canParse(address, base) ? new URL(address, base).origin : ''
