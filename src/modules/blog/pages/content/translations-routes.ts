import type { FastifyReply } from 'fastify'
import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import { canonicalLanguage, isPostLanguage } from '../../../../lib/locale.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import type { ShownPost } from '../../schemas.ts'
import {
  ChangeTranslationRoute,
  DeleteTranslationRoute,
  ListTranslationsRoute,
  SaveTranslationRoute,
} from '../../translations/schemas.ts'
import { linkWithQuery } from '../reading/links.ts'
import { contentPages, form, read } from './content-visit.ts'
import {
  contentPaths,
  postPath,
  RemoveTranslationFormRoute,
  TranslationFormRoute,
  TranslationPageRoute,
  TranslationsPageRoute,
  translationPath,
} from './schemas.ts'
import { loadEditedPost } from './show-editor.ts'
import {
  type SideBySide,
  type TranslationValues,
  translationPage,
  translationsPage,
  valuesOfTranslation,
} from './translations-view.ts'

const module = { id: 'blog', component: 'ext-translations' } as const

export const contentTranslationRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = contentPages(ctx, http)
    const config = { ...form, module } as const
    const view = { schema: TranslationsPageRoute, config: { ...read, module } }
    pages.get(contentPaths.translations, view, async (member, { params, query }) => {
      const { post } = await loadEditedPost(ctx, member, params.id)
      const isLanguage = query.lang !== undefined && isPostLanguage(query.lang)
      if (isLanguage) return member.go(translationPath(post.id, languageOf(query.lang)))
      const problem = query.lang === undefined ? undefined : 'VALIDATION_ERROR'
      const list = { area: member.area, post, translations: await loadAll(member, post), done: query.done, problem }
      return member.show((page) => translationsPage(list, page), problem && 400)
    })
    const one = { schema: TranslationPageRoute, config: { ...read, module } }
    pages.get(contentPaths.translation, one, async (member, { params, query }) => {
      const loaded = await load(member, params)
      // The original is changed in the post editor, not on this page.
      if (loaded.lang === loaded.post.lang) return member.go(postPath(loaded.post.id))
      return show(member, { ...loaded, done: query.done })
    })
    const save = { schema: TranslationFormRoute, config: { ...config, largeBody: true } } as const
    pages.post(contentPaths.translation, save, async (member, { params, body }) => {
      const { form_token: formToken, ...values } = body
      const loaded = await load(member, params)
      const path = translationPath(loaded.post.id, loaded.lang)
      const response = await member.submit<unknown>(path, formToken, callToSave(loaded, values))
      if (response.ok) return member.go(linkWithQuery(path, { done: 'translation' }))
      const { rejection, status } = response
      if (rejection.code !== 'EDIT_CONFLICT') return show(member, { ...loaded, values, rejection }, status)
      // The page shows the conflict, so a second save is deliberate and replaces the other version.
      const current = await load(member, params)
      const { version } = current.values
      return show(member, { ...current, values: { ...values, version }, rejection }, status)
    })
    const remove = { schema: RemoveTranslationFormRoute, config } as const
    pages.post(contentPaths.removeTranslation, remove, async (member, { params, body }) => {
      const loaded = await load(member, params)
      const { id } = loaded.post
      const action = contentPaths.removeTranslation.replace(':id', id).replace(':lang', loaded.lang)
      const removal = call(DeleteTranslationRoute, { params: { id, lang: loaded.lang } })
      const response = await member.submit(action, body.form_token, removal)
      if (!response.ok) return show(member, { ...loaded, rejection: response.rejection }, response.status)
      return member.go(linkWithQuery(contentPaths.translations.replace(':id', id), { done: 'noTranslation' }))
    })

    async function load(member: AdminVisit, params: { id: string; lang: string }): Promise<Loaded> {
      const { post } = await loadEditedPost(ctx, member, params.id)
      const lang = languageOf(params.lang)
      const translation = (await loadAll(member, post)).find((other) => other.lang === lang)
      return { post, lang, translation, values: valuesOfTranslation(translation) }
    }

    function show(
      member: AdminVisit,
      shown: Loaded & Pick<SideBySide, 'done' | 'rejection'>,
      status = 200,
    ): Promise<FastifyReply> | FastifyReply {
      const { id } = shown.post
      const removal = contentPaths.removeTranslation.replace(':id', id).replace(':lang', shown.lang)
      const sides: SideBySide = {
        ...shown,
        area: member.area,
        formToken: member.sign(translationPath(id, shown.lang)),
        removal: { path: removal, formToken: member.sign(removal) },
      }
      return member.show((page) => translationPage(sides, page), status)
    }
  }

type Loaded = Pick<SideBySide, 'post' | 'lang' | 'translation' | 'values'>

/** The API rejects the call if the version that the form shows is no longer the current one. */
function callToSave({ post, lang, translation }: Loaded, { title, slug, excerpt, body, version }: TranslationValues) {
  const { id } = post
  const said = { title, excerpt, body, expected_updated_at: version || null }
  return translation && version
    ? call(ChangeTranslationRoute, { params: { id, lang }, body: { ...said, slug } })
    : call(SaveTranslationRoute, { params: { id }, body: { ...said, lang } })
}

const loadAll = (member: AdminVisit, { id }: ShownPost) => member.read(call(ListTranslationsRoute, { params: { id } }))

function languageOf(text = ''): string {
  const lang = isPostLanguage(text) ? canonicalLanguage(text) : undefined
  if (lang === undefined) throw new AppError('NOT_FOUND')
  return lang
}
