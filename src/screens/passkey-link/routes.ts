import type { Context } from '../../context.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { passkeyLinkPath } from '../../passkeys/sign-in-link/issue.ts'
import { PasskeyLinkRoute } from '../../passkeys/sign-in-link/schemas.ts'
import { noticePage, noticeWithLink } from '../../ui/messages/notice/view.ts'
import { recoverPasskeyPath, secondStepPath } from '../../ui/paths.ts'
import { call } from '../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone, visitorPages } from '../../ui/shared/declare-pages.ts'
import type { PageProblem } from '../../ui/shared/problem-text.ts'
import { PasskeyLinkFormRoute, PasskeyLinkPageRoute } from '../../ui/shared/schemas.ts'
import type { PageVisit } from '../../ui/shared/visit.ts'
import { addPath } from '../account/security/schemas.ts'
import { passkeyLinkPage } from './view.ts'

export const passkeyLinkPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)

    // Mail scanners open links, so only the form consumes the token.
    pages.get(
      passkeyLinkPath,
      { schema: PasskeyLinkPageRoute, config: readByAnyone },
      (visit, { query: { token } }) => {
        if (token === undefined) return showForm(visit)
        visit.setStateCookie('passkey_link', token)
        return visit.go(passkeyLinkPath)
      },
    )

    pages.post(passkeyLinkPath, { schema: PasskeyLinkFormRoute, config: postedByAnyone }, async (visit, { body }) => {
      const token = visit.stateCookie('passkey_link')
      // A form on another site is submitted without this site's cookies.
      if (token === undefined) return notValid(visit)
      const signingIn = call(PasskeyLinkRoute, { body: { token } })
      const response = await visit.submit(formOf(token), body.form_token, signingIn)
      if (!response.ok) {
        if (response.rejection.code === 'INVALID_TOKEN') return notValid(visit)
        return showForm(visit, response.rejection, response.status)
      }
      visit.clearStateCookie('passkey_link')
      if (!response.body.requires_2fa) return visit.go(addPath)
      if (response.body.passkey_required) return visit.go(recoverPasskeyPath)
      // The page of the second step continues there.
      visit.setStateCookie('wanted', addPath)
      return visit.go(secondStepPath)
    })
  }

/** The action for which the form's CSRF token is signed. */
const formOf = (token: string): string => `${passkeyLinkPath} ${token}`

function showForm(visit: PageVisit, problem?: PageProblem, status?: number) {
  const token = visit.stateCookie('passkey_link')
  if (token === undefined) return notValid(visit)
  const formToken = visit.sign(formOf(token))
  return visit.show((page) => passkeyLinkPage({ formToken, problem }, page), status)
}

function notValid(visit: PageVisit) {
  visit.clearStateCookie('passkey_link')
  return visit.show((page) => noticePage(noticeWithLink('passkey_link_not_valid', 'signIn', page.lang), page), 400)
}
