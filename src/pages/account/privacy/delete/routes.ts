import type { Context } from '../../../../context.ts'
import type { Routes } from '../../../../http/server/create-server.ts'
import { noticePage } from '../../../messages/notice/view.ts'
import { anyonePosts, anyoneReads } from '../../../shared/declare-pages.ts'
import { fill, textsFor } from '../../../texts/index.ts'
import { withModule } from '../../shared/entries.ts'
import { type FormOutcome, type Member, memberPages } from '../../shared/member.ts'
import { onDay } from '../../shared/when.ts'
import { showPrivacy } from '../overview/show-privacy.ts'
import { paths, privacyPath } from '../paths.ts'
import * as schemas from '../schemas.ts'
import { deletePage } from './view.ts'

const requests = '/auth/user/me/privacy/delete-request'

/** How an account ends: at once, or later with time to think it over. */
export const deleteAccountRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const pages = memberPages(ctx, http, paths.delete)
    pages.get(paths.delete, { schema: schemas.DeletePageRoute, config: anyoneReads }, (member, { query }) =>
      showDelete(ctx, member, { done: query.done }),
    )

    pages.post(paths.delete, { schema: schemas.DeleteRoute, config: anyonePosts }, async (member, request) => {
      const { email, reason, page } = request.body
      if (!(await member.isOwn(paths.delete, page))) return showDelete(ctx, member, { problem: 'PAGE_EXPIRED' }, 400)
      const { user } = member.profile
      if (email.trim().toLowerCase() !== user.email) return showDelete(ctx, member, { problem: 'NOT_THE_ADDRESS' }, 400)
      const answer = await member.api<{ data: { restorable_until: string } }>({
        method: 'DELETE',
        path: '/auth/user/me',
        body: reasonIn(reason),
      })
      if (!answer.ok) return showDelete(ctx, member, { problem: answer.refusal.code }, answer.status)
      return showDeleted(member, answer.body.data.restorable_until)
    })

    const form = { ...anyonePosts, module: 'privacy' }
    pages.post(paths.request, { schema: schemas.RequestRoute, config: form }, async (member, request) => {
      const { reason, page } = request.body
      const call = { method: 'POST', path: requests, body: reasonIn(reason) } as const
      const answer = await member.submit(paths.request, page, call)
      if (!answer.ok) return showDelete(ctx, member, { problem: answer.refusal.code }, answer.status)
      return member.go(`${privacyPath}?done=asked`)
    })

    const { post } = memberPages(ctx, http, privacyPath)
    post(paths.cancel, { schema: schemas.CancelRoute, config: form }, async (member, request) => {
      const call = { method: 'DELETE', path: requests, body: {} } as const
      const answer = await member.submit(paths.cancel, request.body.page, call)
      if (!answer.ok) return showPrivacy(ctx, member, { problem: answer.refusal.code }, answer.status)
      return member.go(`${privacyPath}?done=kept`)
    })
  }

const reasonIn = (reason: string | undefined) => ({ ...(reason?.trim() && { reason: reason.trim() }) })

function showDelete(
  ctx: Context,
  { area, profile, sign, show }: Member,
  { done, problem }: FormOutcome,
  status?: number,
) {
  const grace = ctx.config.PRIVACY_DELETION_GRACE
  const data = {
    area,
    email: profile.user.email,
    grace: withModule('privacy')(ctx) && grace > 0 ? grace : undefined,
    forms: { now: sign(paths.delete), later: sign(paths.request) },
    done,
    problem,
  }
  return show((page) => deletePage(data, page), status)
}

/** Said in the answer to the deletion itself: the browser has no session any more that another page could ask. */
const showDeleted = ({ profile, show }: Member, until: string) =>
  show((page) => {
    const { deleted } = textsFor(page.lang).privacy
    const message = fill(deleted.message, { date: onDay(page.lang, until, profile.user.tmz) })
    return noticePage(
      { kind: 'info', title: deleted.title, message, links: [{ href: '/', label: deleted.home }] },
      page,
    )
  })
