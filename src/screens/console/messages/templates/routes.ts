import type { Context } from '../../../../context.ts'
import { framedHeaders } from '../../../../http/responses/response-headers.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import {
  ChangeTemplateRoute,
  PreviewRoute,
  ResetTemplateRoute,
  TemplateRoute,
  TemplatesRoute,
  TestRoute,
  VersionRoute,
  VersionsRoute,
} from '../../../../messages/template-schemas.ts'
import { type AdminVisit, adminPages } from '../../../../ui/console/admin-visit.ts'
import { call, type ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiResponse } from '../../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { textsFor } from '../../../../ui/texts/index.ts'
import { editorPath, messagesPath, templatesPath } from '../paths.ts'
import { draftProblems, type EditorOutcome, editorPage, frameNote, type Source } from './editor-view.ts'
import { templatesPage } from './list-view.ts'
import * as schemas from './schemas.ts'
import { versionPage } from './version-view.ts'

interface Draft {
  version?: string | undefined
  subject?: string | undefined
  text?: string | undefined
  html?: string | undefined
}

const ofTemplate = `${templatesPath}/:name/:language`

export const templatePageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, messagesPath, ({ params }) => {
      const { name, language } = params as { name: string; language: string }
      return editorPath(name, language)
    })

    pages.get(templatesPath, { schema: schemas.TemplatesPageRoute, config: readByAnyone }, async (member) => {
      const list = await member.read(call(TemplatesRoute))
      return member.show((page) => templatesPage({ area: member.area, list }, page))
    })

    pages.get(ofTemplate, { schema: schemas.EditorRoute, config: readByAnyone }, (member, { params, query }) =>
      showEditor(member, params, { done: query.done }),
    )

    pages.post(
      ofTemplate,
      { schema: schemas.EditorFormRoute, config: postedByAnyone },
      async (member, { params, body: { action, form_token: formToken, ...draft } }) => {
        const path = editorPath(params.name, params.language)
        const isKnown = action === 'test' || action === 'reset'
        const change = calls[isKnown ? action : 'save'](apiParams(params), draft)
        const response = await member.submit<unknown>(path, formToken, change)
        if (!response.ok)
          return showEditor(member, params, { draft: sourceOf(draft), problem: response.rejection }, response.status)
        // The draft is not stored, so a redirect would lose it.
        if (action === 'test') return showEditor(member, params, { draft: sourceOf(draft), done: 'tested' })
        return member.go(`${path}?done=${action === 'reset' ? 'reset' : 'saved'}`)
      },
    )

    pages.get(
      `${ofTemplate}/frame`,
      { schema: schemas.FrameRoute, config: readByAnyone },
      async (member, request, reply) => {
        const { params, query } = request
        const preview = call(PreviewRoute, { params: apiParams(params), body: { theme: themeOf(query.theme) } })
        framedHeaders(reply)
        return reply.send(frameOf(member, await member.api(preview)))
      },
    )

    pages.post(
      `${ofTemplate}/frame`,
      { schema: schemas.FrameFormRoute, config: postedByAnyone },
      async (member, { params, body: { theme, form_token: formToken, ...draft } }, reply) => {
        const body = { ...sourceOf(draft), theme: themeOf(theme) }
        const preview = call(PreviewRoute, { params: apiParams(params), body })
        const path = editorPath(params.name, params.language)
        framedHeaders(reply)
        return reply.send(frameOf(member, await member.submit(path, formToken, preview)))
      },
    )

    pages.get(
      `${ofTemplate}/versions/:version`,
      { schema: schemas.VersionPageRoute, config: readByAnyone },
      async (member, { params }) => {
        const [template, earlier] = [
          await member.read(call(TemplateRoute, { params: apiParams(params) })),
          await member.read(call(VersionRoute, { params: { ...apiParams(params), version: params.version } })),
        ]
        const form = member.sign(editorPath(params.name, params.language))
        const data = { area: member.area, template, earlier, version: params.version, mayEdit: mayEdit(member), form }
        return member.show((page) => versionPage(data, page))
      },
    )
  }

interface TemplateParams {
  name: string
  lang: string
}

const apiParams = ({ name, language }: { name: string; language: string }): TemplateParams => ({ name, lang: language })

const themeOf = (theme: string | undefined) => (theme === 'dark' ? ('dark' as const) : ('light' as const))

/** The form always sends the `html` field, so an empty field means that the template has no HTML. */
const sourceOf = ({ subject = '', text = '', html = '' }: Draft): Source => ({
  subject,
  text,
  html: html.trim() === '' ? null : html,
})

const versionOf = ({ version = '' }: Draft): number => (/^\d{1,9}$/.test(version) ? Number(version) : -1)

const calls = {
  save: (params: TemplateParams, draft: Draft) =>
    call(ChangeTemplateRoute, { params, body: { version: versionOf(draft), ...sourceOf(draft) } }),
  reset: (params: TemplateParams, draft: Draft) =>
    call(ResetTemplateRoute, { params, query: { version: versionOf(draft) } }),
  test: (params: TemplateParams, draft: Draft) => call(TestRoute, { params, body: sourceOf(draft) }),
}

const mayEdit = ({ can }: AdminVisit): boolean => can('templates:write')

async function showEditor(
  member: AdminVisit,
  params: { name: string; language: string },
  outcome: EditorOutcome,
  status?: number,
) {
  const template = await member.read(call(TemplateRoute, { params: apiParams(params) }))
  const { versions } = await member.read(call(VersionsRoute, { params: apiParams(params) }))
  const form = member.sign(editorPath(template.name, template.language))
  const timeZone = member.profile.user.tmz ?? null
  const data = { area: member.area, template, versions, mayEdit: mayEdit(member), form, timeZone, outcome }
  return member.show((page) => editorPage(data, page), status)
}

function frameOf(member: AdminVisit, response: ApiResponse<ResponseOf<typeof PreviewRoute>>): string {
  if (response.ok) return response.body.data.html
  const { details = [] } = response.rejection
  return frameNote(member.lang, textsFor(member.lang).form.problems.fields, draftProblems(member.lang, details))
}
