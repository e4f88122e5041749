import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { DiscoveryRoute } from '../../../hub/schemas.ts'
import { AppError } from '../../../lib/errors.ts'
import { type ChangeSettingsRoute, SettingsRoute } from '../../../stored-settings/schemas.ts'
import { type AdminVisit, adminPages } from '../../../ui/console/admin-visit.ts'
import { call, type ResponseOf } from '../../../ui/shared/api-route.ts'
import type { ApiResponse } from '../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { localized } from '../modules/localized.ts'
import { addressToConfirm } from '../shared/address-to-confirm.ts'
import { readPicture } from '../shared/read-picture.ts'
import { brandPageRoutes } from './brand/routes.ts'
import { changesIn, type TypedSettings } from './chapter/changes.ts'
import { findLastChange } from './chapter/last-change.ts'
import { type ChapterOutcome, chapterPage } from './chapter/view.ts'
import { settingsPage } from './list/view.ts'
import { ChapterFormRoute, ChapterPageRoute, SettingPictureFormRoute, SettingsPageRoute } from './schemas.ts'
import { absentModules, chapterPath, chapterSlug, settingsCall, settingsPath } from './settings.ts'

const ofChapter = `${settingsPath}/:chapter`

type Changed = ResponseOf<typeof ChangeSettingsRoute>

export const settingPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    brandPageRoutes(ctx)(http)
    const pages = adminPages(ctx, http, settingsPath, backTo)

    pages.get(settingsPath, { schema: SettingsPageRoute, config: readByAnyone }, async (member, { query }) => {
      const { settings } = await member.read(call(SettingsRoute))
      const modules = await member.read(call(DiscoveryRoute))
      const data = { area: member.area, settings, search: query, mayChange: mayChange(member) }
      return member.show((page) => {
        const known = modules.map(localized(ctx, page.lang))
        const leads = new Map(known.map((one) => [chapterOf(ctx)(one.module_id) ?? '', one.module_description]))
        return settingsPage({ ...data, absent: absentModules(settings, known, chapterOf(ctx)), leads }, page)
      })
    })

    pages.get(ofChapter, { schema: ChapterPageRoute, config: readByAnyone }, async (member, { params, query }) =>
      showStored(ctx, member, params, query),
    )

    pages.post(ofChapter, { schema: ChapterFormRoute, config: postedByAnyone }, async (member, { params, body }) => {
      const { form_token: formToken, version, reset, locked_out: lockedOut, ...typed } = body as TypedSettings
      const chapter = await readChapter(member, params)
      const changes = reset ? [{ name: reset, value: null }] : changesIn(chapter.settings, typed)
      const path = chapterPath(chapter.name)
      if (changes.length === 0 && (await member.isOwn(path, formToken))) return member.go(`${path}?done=unchanged`)
      const response = await member.submit(path, formToken, settingsCall(changes, version, lockedOut))
      return finish(ctx, member, params, response, typed)
    })

    const config = { ...postedByAnyone, upload: 'picture' } as const
    pages.post(`${ofChapter}/picture`, { schema: SettingPictureFormRoute, config }, async (member, request) => {
      const { params } = request
      const picture = await readPicture(ctx, member, request)
      if (!picture.ok) return finish(ctx, member, params, picture)
      const { name, value, version, formToken } = picture.body
      const action = `${chapterPath((await readChapter(member, params)).name)}/picture`
      const response = await member.submit(action, formToken, settingsCall([{ name, value }], version))
      return finish(ctx, member, params, response)
    })
  }

/** After reauthentication, the visitor returns to the chapter page. */
const backTo = ({ params }: FastifyRequest): string => {
  const { chapter } = params as { chapter?: string }
  return chapter ? `${settingsPath}/${chapterSlug(chapter)}` : settingsPath
}

const chapterOf = (ctx: Context) => (id: string) => ctx.modules.placesOf(id, ctx.config).chapter

const mayChange = ({ can }: AdminVisit): boolean => can('settings:write')

async function readChapter(member: AdminVisit, { chapter: slug }: { chapter: string }) {
  const { version, settings: all } = await member.read(call(SettingsRoute))
  const settings = all.filter(({ chapter }) => chapterSlug(chapter) === slug)
  const [first] = settings
  if (!first) throw new AppError('NOT_FOUND')
  return { name: first.chapter, version, settings, modules: await member.read(call(DiscoveryRoute)) }
}

async function showStored(
  ctx: Context,
  member: AdminVisit,
  params: { chapter: string },
  query: Pick<ChapterOutcome, 'done' | 'changed'>,
) {
  const chapter = await readChapter(member, params)
  const { done, changed } = query
  const isSaved = done === 'saved' && changed !== undefined
  const last = isSaved ? await findLastChange(member, ctx.clock.now(), chapter.settings, changed) : undefined
  return showChapter(ctx, member, chapter, { ...query, last })
}

async function finish(
  ctx: Context,
  member: AdminVisit,
  params: { chapter: string },
  response: ApiResponse<Changed>,
  typed: TypedSettings = {},
) {
  const chapter = await readChapter(member, params)
  if (!response.ok) return showChapter(ctx, member, chapter, { typed, rejection: response.rejection }, response.status)
  const { changed } = response.body.data
  const query = changed.length > 0 ? `done=saved&changed=${changed.join(',')}` : 'done=unchanged'
  return member.go(`${chapterPath(chapter.name)}?${query}`)
}

function showChapter(
  ctx: Context,
  member: AdminVisit,
  { name, version, settings, modules }: Awaited<ReturnType<typeof readChapter>>,
  outcome: ChapterOutcome,
  status?: number,
) {
  const path = chapterPath(name)
  const forms = { save: member.sign(path), picture: member.sign(`${path}/picture`) }
  const data = {
    area: member.area,
    chapter: name,
    settings,
    version,
    mayChange: mayChange(member),
    forms,
    confirmPath: addressToConfirm(ctx, member, path, undefined),
    outcome,
  }
  return member.show((page) => {
    const known = modules.map(localized(ctx, page.lang))
    return chapterPage({ ...data, absent: absentModules(settings, known, chapterOf(ctx)).get(name) }, page)
  }, status)
}
