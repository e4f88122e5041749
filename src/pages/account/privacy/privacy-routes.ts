import type { Context } from '../../../context.ts'
import { anyone } from '../../../http/access.ts'
import type { Routes } from '../../../http/create-server.ts'
import { attachmentHeaders } from '../../../http/reply-headers.ts'
import { visitOf } from '../../visit.ts'
import { withModule } from '../entries.ts'
import { asMember } from '../member.ts'
import { paths, privacyPath } from './paths.ts'
import * as schemas from './schemas.ts'
import { showPrivacy } from './show-privacy.ts'

const api = '/auth/user/me/privacy'
const module = 'privacy'
const hasModule = withModule(module)

/** What people decide about their data, and the copy of it that they can have. */
export const privacyPageRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const read = { access: anyone, limit: 'read', hidden: true } as const
    http.get(privacyPath, { schema: schemas.PrivacyRoute, config: read }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), privacyPath, (member) =>
        showPrivacy(ctx, member, { done: request.query.done }),
      ),
    )

    const form = { access: anyone, limit: 'write', hidden: true, form: true } as const
    for (const [path, wishOf] of Object.entries(choices)) {
      http.post(path, { schema: schemas.ChoiceRoute, config: { ...form, module } }, (request, reply) =>
        asMember(ctx, visitOf(ctx, http, request, reply), privacyPath, async (member) => {
          const { choice, page } = request.body
          if (!(await member.isOwn(path, page))) return showPrivacy(ctx, member, { problem: 'PAGE_EXPIRED' }, 400)
          const { body, done } = wishOf(choice)
          const answer = await member.api({ method: 'PUT', path: api, body })
          if (!answer.ok) return showPrivacy(ctx, member, { problem: answer.refusal.code }, answer.status)
          return member.go(`${privacyPath}?done=${done}`)
        }),
      )
    }

    http.post(paths.download, { schema: schemas.DownloadRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), privacyPath, async (member) => {
        if (!(await member.isOwn(paths.download, request.body.page)))
          return showPrivacy(ctx, member, { problem: 'PAGE_EXPIRED' }, 400)
        const path = hasModule(ctx) ? `${api}/export` : '/auth/user/me/export'
        const answer = await member.api<{ data: object }>({ method: 'GET', path })
        if (!answer.ok) return showPrivacy(ctx, member, { problem: answer.refusal.code }, answer.status)
        attachmentHeaders(reply, 'personal-data.json').type('application/json; charset=utf-8')
        return reply.send(`${JSON.stringify(answer.body.data, null, 2)}\n`)
      }),
    )

    http.post(paths.mail, { schema: schemas.MailRoute, config: { ...form, module } }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), privacyPath, async (member) => {
        if (!(await member.isOwn(paths.mail, request.body.page)))
          return showPrivacy(ctx, member, { problem: 'PAGE_EXPIRED' }, 400)
        const answer = await member.api({ method: 'POST', path: `${api}/exports`, body: {} })
        if (!answer.ok) return showPrivacy(ctx, member, { problem: answer.refusal.code }, answer.status)
        return member.go(`${privacyPath}?done=mailed`)
      }),
    )
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
