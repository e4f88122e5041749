import type { FastifyReply } from 'fastify'
import { AppError } from '../../../../../lib/errors.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import { accessTo } from '../../../access.ts'
import { ReadPreviewRoute } from '../../../preview-links/schemas.ts'
import { typesOf } from '../../../read-post.ts'
import type { ShownPost } from '../../../schemas.ts'
import { linkWithQuery } from '../links.ts'
import type { Reader } from '../reader.ts'
import { readingPaths } from '../schemas.ts'
import { endedPreviewView, type PreviewVersion, previewView } from './view.ts'

export interface OpenedPreview {
  previewToken: string
  lang: string | undefined
}

/** The page is never cached, contains `noindex`, and is not counted as a view. */
export async function showPreview(reader: Reader, { previewToken, lang }: OpenedPreview): Promise<FastifyReply> {
  const load = (wanted?: string) =>
    reader.api(call(ReadPreviewRoute, { params: { token: previewToken }, query: { lang: wanted } }))
  const response = await load(lang)
  if (!response.ok) {
    const { code, retryAfter } = response.rejection
    if (code === 'RATE_LIMITED') throw new AppError('RATE_LIMITED', retryAfter === undefined ? {} : { retryAfter })
    const isExpired = code === 'PREVIEW_LINK_EXPIRED'
    return reader.send(endedPreviewView(reader, isExpired ? 'expired' : 'unknown'), {
      lang: undefined,
      isPersonal: true,
      status: isExpired ? 410 : 404,
    })
  }
  const { data: post, meta } = response.body
  if (await isReadByEveryone(reader, post)) return reader.lead(reader.links.pathOf(post), 'now')
  const languages = await versionsOf(post, previewToken, async () => {
    const original = await load()
    return original.ok ? original.body.data.lang : undefined
  })
  const preview = { post, languages, expiresAt: meta.expires_at }
  return reader.send(previewView(reader, preview), { lang: post.lang, isPersonal: true })
}

/** Posts in the trash have no preview. */
const isReadByEveryone = async ({ ctx }: Reader, { post_type = 'post', ...post }: ShownPost): Promise<boolean> =>
  accessTo({ ...post, post_type, deleted_at: null }, undefined, await typesOf(ctx)) === 'free'

/** The other languages of the post, with the links to their previews. */
async function versionsOf(
  { lang, translations = [] }: ShownPost,
  previewToken: string,
  originalLang: () => Promise<string | undefined>,
): Promise<PreviewVersion[]> {
  const path = readingPaths.preview.replace(':token', previewToken)
  const others = translations
    .filter((one) => one !== lang)
    .map((one) => ({ lang: one, path: linkWithQuery(path, { lang: one }) }))
  const original = translations.includes(lang) ? await originalLang() : undefined
  return original === undefined ? others : [{ lang: original, path }, ...others]
}
