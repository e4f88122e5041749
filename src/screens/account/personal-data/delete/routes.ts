import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { DeleteOwnRoute } from '../../../../profile/schemas.ts'
import { type AccountVisit, accountPages } from '../../../../ui/account/account-visit.ts'
import type { FindReplacement, ShowPage } from '../../../../ui/account/personal-data-replacement.ts'
import { onDay } from '../../../../ui/account/when.ts'
import { noticePage } from '../../../../ui/messages/notice/view.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { fill, textsFor } from '../../../../ui/texts/index.ts'
import * as schemas from '../schemas.ts'
import { deletePath, reasonIn } from '../schemas.ts'
import { deleteAccountPage } from './view.ts'

export const deleteAccountRoutes =
  (replacement: FindReplacement) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, deletePath)
    const show: ShowPage = (...shown) => (replacement()?.showDelete ?? showDelete)(...shown)
    pages.get(deletePath, { schema: schemas.DeletePageRoute, config: readByAnyone }, (member, { query }) =>
      show(ctx, member, { done: query.done }),
    )

    pages.post(deletePath, { schema: schemas.DeleteFormRoute, config: postedByAnyone }, async (member, request) => {
      const { email, reason, form_token: formToken } = request.body
      if (!(await member.isOwn(deletePath, formToken))) return show(ctx, member, { problem: 'PAGE_EXPIRED' }, 400)
      const { user } = member.profile
      if (email.trim().toLowerCase() !== user.email) return show(ctx, member, { problem: 'NOT_THE_ADDRESS' }, 400)
      const response = await member.api(call(DeleteOwnRoute, { body: reasonIn(reason) }))
      if (!response.ok) return show(ctx, member, { problem: response.rejection.code }, response.status)
      return showDeleted(member, response.body.data.restorable_until)
    })
  }

const showDelete: ShowPage = async (_ctx, { area, profile, sign, show }, outcome, status) =>
  show(
    (page) => deleteAccountPage({ area, email: profile.user.email, form: sign(deletePath), ...outcome }, page),
    status,
  )

/** Responds with a page. A redirect is not possible because the browser no longer has a session. */
const showDeleted = ({ profile, show }: AccountVisit, until: string) =>
  show((page) => {
    const { deleted } = textsFor(page.lang).personalData
    const message = fill(deleted.message, { date: onDay(page.lang, until, profile.user.tmz) })
    return noticePage(
      { kind: 'info', title: deleted.title, message, links: [{ href: '/', label: deleted.home }] },
      page,
    )
  })
