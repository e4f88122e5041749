import type { FastifyReply } from 'fastify'
import type { Context } from '../../../../context.ts'
import { framedHeaders } from '../../../../http/responses/response-headers.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import { type PageDeclarations, postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { type PageLanguage, textsFor } from '../../../../ui/texts/index.ts'
import { frameNote } from '../../messages/templates/editor-view.ts'
import { appearanceOfOne, appearancePath, type ShownApplication } from '../paths.ts'
import { applicationProblems } from '../problems.ts'
import { getShownApplication } from '../read-application.ts'
import * as schemas from '../schemas.ts'
import { appearancePreview } from './preview.ts'
import { savedAppearance, type TypedAppearance, withPickedAccent } from './view.ts'

export function declareAppearancePreview(ctx: Context, pages: PageDeclarations<AdminVisit>): void {
  const path = `${appearanceOfOne}/preview`
  pages.get(
    path,
    { schema: schemas.AppearancePreviewRoute, config: readByAnyone },
    async (member, { params, query }, reply) => {
      const application = await getShownApplication(member, params.application_id)
      return frame(ctx, member, reply, { application, typed: savedAppearance(application), view: query.view })
    },
  )
  pages.post(
    path,
    { schema: schemas.AppearancePreviewFormRoute, config: postedByAnyone },
    async (member, { params: { application_id: id }, body: { form_token: formToken, view, ...sent } }, reply) => {
      const application = await getShownApplication(member, id)
      if (await member.isOwn(appearancePath(id), formToken))
        return frame(ctx, member, reply, { application, typed: withPickedAccent(sent), view })
      framedHeaders(reply)
      return reply.send(frameNote(member.lang, textsFor(member.lang).rejections.PAGE_EXPIRED, []))
    },
  )
}

interface Previewed {
  application: ShownApplication
  typed: TypedAppearance
  view: string | undefined
}

/** Sends a preview without scripts. The headers also block scripts and forms. */
async function frame(ctx: Context, member: AdminVisit, reply: FastifyReply, { application, typed, view }: Previewed) {
  framedHeaders(reply)
  const { lang } = member
  const scheme = view === 'dark' ? 'dark' : 'light'
  const preview = await appearancePreview(ctx, application, typed, { lang, scheme })
  if ('html' in preview) return reply.send(preview.html)
  const rejection = { code: 'VALIDATION_ERROR', details: [...preview.problems] }
  const problems = Object.entries(applicationProblems(lang, rejection).fields)
    .toReversed()
    .map(([field, message]) => ({
      field: previewLabels(lang)[field] ?? field,
      message,
      lang,
    }))
  return reply.send(frameNote(lang, textsFor(lang).form.problems.fields, problems))
}

function previewLabels(lang: PageLanguage): Readonly<Record<string, string>> {
  const { accent, terms, privacy } = adminTextsFor(lang).applications.appearance
  return { accent, terms_url: terms, privacy_url: privacy }
}
