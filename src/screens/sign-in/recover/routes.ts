import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import {
  CompleteRecoveryRoute,
  ListForRecoveryRoute,
  RecoverRoute,
  SendRecoveryCodeRoute,
} from '../../../passkeys/recovery/schemas.ts'
import { typedCode } from '../../../ui/fields/code-fields.ts'
import { noticePage, noticeWithLink } from '../../../ui/messages/notice/view.ts'
import { securityPath } from '../../../ui/paths.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone, visitorPages } from '../../../ui/shared/declare-pages.ts'
import { passkeyResponse } from '../../../ui/shared/passkey-response.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { continueSignIn, destinationOf } from '../login-steps.ts'
import { showNewCodes } from '../new-codes/view.ts'
import { acceptsLoginLinks, acceptsRecoveries } from '../sign-in-options.ts'
import * as schemas from './schemas.ts'
import { paths, recoverAddressPage, recoverCodesPage, recoverPasskeyPage } from './view.ts'

const expired: ApiRejection = { code: 'PAGE_EXPIRED' }

export const recoverRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)
    pages.get(paths.address, { schema: schemas.RecoverAddressRoute, config: readByAnyone }, (visit) =>
      acceptsRecoveries(ctx) ? askForAddress(ctx, visit) : visit.go('/login'),
    )

    pages.post(
      paths.address,
      { schema: schemas.RecoverAddressFormRoute, config: postedByAnyone },
      async (visit, { body }) => {
        const email = body.email.trim()
        const sendCode = call(SendRecoveryCodeRoute, { body: { email } })
        const sent = await visit.submit(paths.address, body.form_token, sendCode)
        if (!sent.ok) return askForAddress(ctx, visit, { email, rejection: sent.rejection }, sent.status)
        visit.setStateCookie('recovery', `${sent.body.recovery_id} ${email}`)
        return visit.go(paths.codes)
      },
    )

    pages.get(paths.codes, { schema: schemas.RecoverCodesRoute, config: readByAnyone }, (visit) => {
      const started = startedRecovery(visit)
      return started ? askForCodes(ctx, visit, started) : visit.go(paths.address)
    })

    pages.post(
      paths.codes,
      { schema: schemas.RecoverCodesFormRoute, config: postedByAnyone },
      async (visit, { body: { code, recovery_code, form_token } }) => {
        const isOwn = await visit.isOwn(paths.codes, form_token)
        const started = startedRecovery(visit)
        if (!started) return visit.go(paths.address)
        if (!isOwn) return askForCodes(ctx, visit, { ...started, rejection: expired }, 400)
        const proofs = { code: typedCode(code), recovery_code: typedCode(recovery_code) }
        const recovered = await visit.api(call(RecoverRoute, { body: { recovery_id: started.id, ...proofs } }))
        if (!recovered.ok)
          return askForCodes(ctx, visit, { ...started, rejection: recovered.rejection }, recovered.status)
        visit.clearStateCookie('recovery')
        return visit.go(paths.passkey)
      },
    )

    pages.get(paths.passkey, { schema: schemas.RecoverPasskeyRoute, config: readByAnyone }, (visit) =>
      askForPasskey(visit),
    )

    pages.post(
      paths.passkey,
      { schema: schemas.RecoverPasskeyFormRoute, config: postedByAnyone },
      async (visit, { body: { response, form_token, ...picked } }) => {
        const body = { response: passkeyResponse(response), remove: Object.values(picked) }
        const completed = await visit.submit(paths.passkey, form_token, call(CompleteRecoveryRoute, { body }))
        if (!completed.ok) return askForPasskey(visit, completed.rejection, completed.status)
        const { recovery_codes: codes, user } = completed.body
        if (codes) return showNewCodes(ctx, visit, { codes, email: user.email })
        const goesToAccount = destinationOf(ctx, visit) === '/account' && visit.stateCookie('wanted') === undefined
        return goesToAccount ? visit.go('/account?done=recovered') : continueSignIn(ctx, visit, completed.body)
      },
    )
  }

interface StartedRecovery {
  id: string
  email: string
}

/** A recovery whose code was sent, or would have been sent if the account could be recovered. */
function startedRecovery(visit: PageVisit): StartedRecovery | undefined {
  const [id, email] = visit.stateCookie('recovery')?.split(' ') ?? []
  return id && email ? { id, email } : undefined
}

interface AddressView {
  email?: string
  rejection?: ApiRejection
}

function askForAddress({ config }: Context, visit: PageVisit, view: AddressView = {}, status?: number) {
  const email = startedRecovery(visit)?.email ?? visit.flow?.loginHint ?? ''
  const data = { formToken: visit.sign(paths.address), byMail: acceptsLoginLinks(config), email, ...view }
  return visit.show((page) => recoverAddressPage(data, page), status)
}

interface CodesView extends StartedRecovery {
  rejection?: ApiRejection
}

function askForCodes({ config }: Context, visit: PageVisit, { email, rejection }: CodesView, status?: number) {
  const data = { formToken: visit.sign(paths.codes), codeLifetime: config.CODE_TTL, email, rejection }
  return visit.show((page) => recoverCodesPage(data, page), status)
}

async function askForPasskey(visit: PageVisit, rejection?: ApiRejection, status?: number) {
  const listed = await visit.api(call(ListForRecoveryRoute))
  // A user who is already signed in adds passkeys in the settings.
  if (!listed.ok) return visit.go(listed.rejection.code === 'FORBIDDEN' ? securityPath : '/login?ended=true')
  if (!listed.body.can_add)
    return visit.show((page) => noticePage(noticeWithLink('use_passkey', 'signIn', page.lang), page), 403)
  const tokens = { formToken: visit.sign(paths.passkey), logoutForm: visit.sign('/logout') }
  return visit.show((page) => recoverPasskeyPage({ ...tokens, listed: listed.body, rejection }, page), status)
}
