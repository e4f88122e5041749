import type { Context } from '../../../../context.ts'
import { attachmentHeaders } from '../../../../http/replies/reply-headers.ts'
import type { Routes } from '../../../../http/server/create-server.ts'
import { anyonePosts, anyoneReads } from '../../../shared/declare-pages.ts'
import { withModule } from '../../shared/entries.ts'
import { memberPages } from '../../shared/member.ts'
import { paths, privacyPath } from '../paths.ts'
import * as schemas from '../schemas.ts'
import { showPrivacy } from './show-privacy.ts'

const api = '/auth/user/me/privacy'
const module = 'privacy'
const hasModule = withModule(module)

/** What people decide about their data, and the copy of it that they can have. */
export const privacyPageRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const pages = memberPages(ctx, http, privacyPath)
    pages.get(privacyPath, { schema: schemas.PrivacyRoute, config: anyoneReads }, (member, { query }) =>
      showPrivacy(ctx, member, { done: query.done }),
    )

    const form = { ...anyonePosts, module }
    for (const [path, wishOf] of Object.entries(choices)) {
      pages.post(path, { schema: schemas.ChoiceRoute, config: form }, async (member, request) => {
        const { choice, page } = request.body
        const { body, done } = wishOf(choice)
        const answer = await member.submit(path, page, { method: 'PUT', path: api, body })
        if (!answer.ok) return showPrivacy(ctx, member, { problem: answer.refusal.code }, answer.status)
        return member.go(`${privacyPath}?done=${done}`)
      })
    }

    pages.post(
      paths.download,
      { schema: schemas.DownloadRoute, config: anyonePosts },
      async (member, request, reply) => {
        const { page } = request.body
        const path = hasModule(ctx) ? `${api}/export` : '/auth/user/me/export'
        const answer = await member.submit<{ data: object }>(paths.download, page, { method: 'GET', path })
        if (!answer.ok) return showPrivacy(ctx, member, { problem: answer.refusal.code }, answer.status)
        attachmentHeaders(reply, 'personal-data.json').type('application/json; charset=utf-8')
        return reply.send(`${JSON.stringify(answer.body.data, null, 2)}\n`)
      },
    )

    pages.post(paths.mail, { schema: schemas.MailRoute, config: form }, async (member, request) => {
      const call = { method: 'POST', path: `${api}/exports`, body: {} } as const
      const answer = await member.submit(paths.mail, request.body.page, call)
      if (!answer.ok) return showPrivacy(ctx, member, { problem: answer.refusal.code }, answer.status)
      return member.go(`${privacyPath}?done=mailed`)
    })
  }

/** What a form asks for, and under which word the page tells that it is done. */
const choices: Record<string, (choice: string) => { body: object; done: string }> = {
  [paths.region]: (choice) => ({ body: { privacy_region: choice }, done: 'region' }),
  // Whoever agrees names the version that the page has shown: it may be another one by now.
  [paths.consent]: (choice) =>
    choice === ''
      ? { body: { gdpr_consent: false }, done: 'withdrawn' }
      : { body: { gdpr_consent: true, gdpr_consent_version: choice }, done: 'given' },
  [paths.sale]: (choice) => ({ body: { ccpa_opt_out: choice === 'out' }, done: choice === 'out' ? 'out' : 'in' }),
}
