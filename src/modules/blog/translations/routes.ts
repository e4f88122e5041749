import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { visitor } from '../../../http/access/access.ts'
import { envelope } from '../../../http/responses/envelope.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { AppError } from '../../../lib/errors.ts'
import { canonicalLanguage } from '../../../lib/locale.ts'
import { iso } from '../../../lib/time.ts'
import { writers } from '../access.ts'
import { writerOf } from '../change-post.ts'
import { postPaths } from '../names.ts'
import { loadReadablePost, readInputFrom } from '../read-post.ts'
import { collectRemoved, type RenderFor } from '../render.ts'
import { findTranslations, type TranslationView } from './queries.ts'
import { changeTranslation, deleteTranslation, saveTranslation } from './save-translation.ts'
import * as schemas from './schemas.ts'

const module = { id: 'blog', component: 'ext-translations' }

export const translationRoutes =
  (ctx: Context, renderFor: RenderFor): DeclareRoutes =>
  (http) => {
    const read = { access: visitor, limit: 'read', whileImpersonating: 'allowed', module } as const
    const write = { access: writers(ctx.config), limit: 'write', module } as const
    const large = { ...write, largeBody: true } as const
    const work = (request: FastifyRequest, postId: string) => ({
      ...{ ctx, postId, writer: writerOf(request), reading: readInputFrom(request) },
      ...collectRemoved(renderFor(request.auth.user.id)),
    })
    for (const path of postPaths) routesOf(`${path}/translations`)

    function routesOf(path: `${(typeof postPaths)[number]}/translations`): void {
      const one = `${path}/:lang` as const
      http.get(path, { schema: schemas.ListTranslationsRoute, config: read }, async (request) => {
        await loadReadablePost(ctx, request.params.id, readInputFrom(request))
        return envelope(request, (await findTranslations(ctx.db, request.params.id)).map(shownTranslation), {})
      })
      http.post(path, { schema: schemas.SaveTranslationRoute, config: large }, async (request) => {
        const { id } = request.params
        const { meta, ...saving } = work(request, id)
        const saved = await saveTranslation(saving, request.body)
        return envelope(request, { id, ...saved }, meta())
      })
      http.put(one, { schema: schemas.ChangeTranslationRoute, config: large }, async (request) => {
        const { id } = request.params
        const lang = languageInPath(request.params.lang)
        const { meta, ...saving } = work(request, id)
        await changeTranslation(saving, lang, request.body)
        return envelope(request, { id, lang, updated: true as const }, meta())
      })
      http.delete(one, { schema: schemas.DeleteTranslationRoute, config: write }, async (request) => {
        const { id } = request.params
        const lang = languageInPath(request.params.lang)
        await deleteTranslation(work(request, id), lang)
        return envelope(request, { id, lang, deleted: true as const }, {})
      })
    }
  }

/** A translation with an invalid language tag cannot exist, so the response is NOT_FOUND. */
function languageInPath(text: string): string {
  const lang = text.length <= 35 ? canonicalLanguage(text) : undefined
  if (lang === undefined) throw new AppError('NOT_FOUND')
  return lang
}

const shownTranslation = ({ post_id, created_at, updated_at, ...said }: TranslationView) => ({
  id: post_id,
  ...said,
  created_at: iso(created_at),
  updated_at: iso(updated_at),
})
