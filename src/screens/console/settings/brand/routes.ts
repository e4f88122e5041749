import type { FastifyReply } from 'fastify'
import type { Context } from '../../../../context.ts'
import { framedHeaders } from '../../../../http/responses/response-headers.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import { SettingsRoute } from '../../../../stored-settings/schemas.ts'
import { type AdminVisit, adminPages } from '../../../../ui/console/admin-visit.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import type { ApiResponse } from '../../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { textsFor } from '../../../../ui/texts/index.ts'
import { frameNote } from '../../messages/templates/editor-view.ts'
import { addressToConfirm } from '../../shared/address-to-confirm.ts'
import { readPicture } from '../../shared/read-picture.ts'
import { changesIn, storedText, type TypedSettings } from '../chapter/changes.ts'
import { problemSentence } from '../problem-sentence.ts'
import * as schemas from '../schemas.ts'
import { settingsCall, settingsPath } from '../settings.ts'
import { accentNoteOf, brandFields, mailPreview, signInPreview, typedBrand } from './preview.ts'
import { type BrandPage, brandPage, brandPath, previewPath, withPickedColour } from './view.ts'

const logoPath = `${brandPath}/logo`
const brandNames: readonly string[] = [...brandFields, 'APP_LOGO']

export const brandPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, settingsPath, () => brandPath)

    pages.get(brandPath, { schema: schemas.BrandPageRoute, config: readByAnyone }, (member, { query }) =>
      show(ctx, member, { done: query.done }),
    )

    pages.post(brandPath, { schema: schemas.BrandFormRoute, config: postedByAnyone }, async (member, { body }) => {
      const { form_token: formToken, version, reset, ...sent } = body
      const typed = withPickedColour(sent)
      const { settings } = await readBrand(member)
      const changes = reset === 'APP_LOGO' ? [{ name: reset, value: null }] : changesIn(settings, typed)
      if (changes.length === 0 && (await member.isOwn(brandPath, formToken)))
        return member.go(`${brandPath}?done=unchanged`)
      return finish(ctx, member, await member.submit(brandPath, formToken, settingsCall(changes, version)), typed)
    })

    const config = { ...postedByAnyone, upload: 'picture' } as const
    pages.post(logoPath, { schema: schemas.BrandPictureFormRoute, config }, async (member, request) => {
      const picture = await readPicture(ctx, member, request)
      if (!picture.ok) return finish(ctx, member, picture)
      const { value, version, formToken } = picture.body
      const change = settingsCall([{ name: 'APP_LOGO', value }], version)
      return finish(ctx, member, await member.submit(logoPath, formToken, change))
    })

    pages.get(
      previewPath,
      { schema: schemas.BrandPreviewRoute, config: readByAnyone },
      async (member, { query }, reply) => {
        const { settings } = await readBrand(member)
        const stored = Object.fromEntries(settings.map((setting) => [setting.name, storedText(setting)]))
        return frame(ctx, member, reply, { ...stored, view: query.view })
      },
    )

    pages.post(
      previewPath,
      { schema: schemas.BrandPreviewFormRoute, config: postedByAnyone },
      async (member, { body: { form_token: formToken, ...typed } }, reply) => {
        if (!member.can('settings:read')) throw new AppError('FORBIDDEN')
        const isOwn = await member.isOwn(brandPath, formToken)
        const values = withPickedColour(typed)
        if (isOwn && typed.view === 'accent') return sendAccentNote(ctx, member, reply, values)
        if (isOwn) return frame(ctx, member, reply, values)
        framedHeaders(reply)
        return reply.send(frameNote(member.lang, textsFor(member.lang).rejections.PAGE_EXPIRED, []))
      },
    )
  }

async function readBrand(member: AdminVisit) {
  const { version, settings } = await member.read(call(SettingsRoute))
  return { version, settings: settings.filter(({ name }) => brandNames.includes(name)) }
}

/** The page's script shows the text, so that it is about the colour that was just entered. */
function sendAccentNote(ctx: Context, member: AdminVisit, reply: FastifyReply, typed: TypedSettings): FastifyReply {
  framedHeaders(reply)
  return reply.type('text/plain; charset=utf-8').send(accentNoteOf(member.lang, typedBrand(ctx, typed)))
}

/** Sends a preview without scripts. The headers also block scripts and forms. */
function frame(ctx: Context, member: AdminVisit, reply: FastifyReply, { view, ...typed }: TypedSettings): FastifyReply {
  framedHeaders(reply)
  const { settings, ignored } = typedBrand(ctx, typed)
  const { fields } = adminTextsFor(member.lang).brand
  const problems = [...ignored].map(([name, message]) => {
    const { text, lang } = problemSentence(member.lang, message)
    return { field: fields[name as keyof typeof fields] ?? name, message: text, lang }
  })
  if (problems.length > 0)
    return reply.send(frameNote(member.lang, textsFor(member.lang).form.problems.fields, problems))
  const scheme = view?.endsWith('dark') ? 'dark' : 'light'
  const lang = member.lang
  return reply.send(
    view?.startsWith('mail') ? mailPreview(settings, lang, scheme) : signInPreview(ctx, { settings }, lang, scheme),
  )
}

async function finish(ctx: Context, member: AdminVisit, answer: ApiResponse<unknown>, typed: TypedSettings = {}) {
  if (answer.ok) return member.go(`${brandPath}?done=saved`)
  return show(ctx, member, { typed, rejection: answer.rejection }, answer.status)
}

async function show(ctx: Context, member: AdminVisit, outcome: BrandPage['outcome'], status?: number) {
  const { version, settings } = await readBrand(member)
  const values = outcome.typed ?? Object.fromEntries(settings.map((setting) => [setting.name, storedText(setting)]))
  const brand = typedBrand(ctx, values)
  const data = {
    area: member.area,
    settings,
    version,
    mayChange: member.can('settings:write'),
    forms: { save: member.sign(brandPath), logo: member.sign(logoPath) },
    confirmPath: addressToConfirm(ctx, member, brandPath, undefined),
    outcome,
  }
  return member.show((page) => brandPage({ ...data, accentNote: accentNoteOf(page.lang, brand) }, page), status)
}
