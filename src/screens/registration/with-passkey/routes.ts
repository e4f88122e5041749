import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { RegisterPasskeyRoute, SendRegistrationCodeRoute } from '../../../passkeys/registration/schemas.ts'
import { typedCode } from '../../../ui/fields/code-fields.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone, visitorPages } from '../../../ui/shared/declare-pages.ts'
import { passkeyResponse } from '../../../ui/shared/passkey-response.ts'
import * as schemas from '../../../ui/shared/schemas.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { continueSignIn } from '../../sign-in/login-steps.ts'
import { showNewCodes } from '../../sign-in/new-codes/view.ts'
import { askForAddress, askForCode, askForPasskey, type StartedRegistration, startedRegistration } from './steps.ts'
import { paths } from './view.ts'

export const registerWithPasskeyRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)
    pages.post(
      paths.address,
      { schema: schemas.RegisterAddressFormRoute, config: postedByAnyone },
      async (visit, request) => {
        const { email: typed, form_token: formToken } = request.body
        const email = typed.trim()
        const sendCode = call(SendRegistrationCodeRoute, { body: { email } })
        const response = await visit.submit(paths.address, formToken, sendCode)
        if (!response.ok) return askForAddress(ctx, visit, { email, rejection: response.rejection }, response.status)
        visit.setStateCookie('registration', `${response.body.registration_id} ${email}`)
        return visit.go(paths.code)
      },
    )

    pages.get(paths.code, { schema: schemas.RegisterCodeRoute, config: readByAnyone }, (visit) => {
      const started = startedRegistration(visit)
      return started ? askForCode(ctx, visit, { email: started.email }) : visit.go(paths.start)
    })

    pages.post(
      paths.code,
      { schema: schemas.RegisterCodeFormRoute, config: postedByAnyone },
      async (visit, request) => {
        const { code, form_token: formToken } = request.body
        const isOwn = await visit.isOwn(paths.code, formToken)
        const started = startedRegistration(visit)
        if (!started) return visit.go(paths.start)
        if (!isOwn) return askForCode(ctx, visit, { email: started.email, problem: 'PAGE_EXPIRED' }, 400)
        return askForPasskey(ctx, visit, { started, code: typedCode(code) })
      },
    )

    pages.post(
      paths.passkey,
      { schema: schemas.RegisterPasskeyFormRoute, config: postedByAnyone },
      async (visit, request) => {
        const isOwn = await visit.isOwn(paths.passkey, request.body.form_token)
        const started = startedRegistration(visit)
        if (!started) return visit.go(paths.start)
        return isOwn
          ? createAccount(ctx, visit, started, request.body)
          : askForCode(ctx, visit, { email: started.email, problem: 'PAGE_EXPIRED' }, 400)
      },
    )
  }

interface PasskeyForm {
  code: string
  response?: string
  name?: string
  last_name?: string
}

async function createAccount(ctx: Context, visit: PageVisit, started: StartedRegistration, form: PasskeyForm) {
  const { code, name = '', last_name = '' } = form
  const { id, email } = started
  const input = { name, last_name }
  const body = { registration_id: id, response: passkeyResponse(form.response), ...input }
  const registered = await visit.api(call(RegisterPasskeyRoute, { body }))
  if (!registered.ok) {
    const { rejection, status } = registered
    return rejection.code === 'EMAIL_TAKEN'
      ? askForAddress(ctx, visit, { email, rejection }, status)
      : askForPasskey(ctx, visit, { started, code, input, rejection }, status)
  }
  visit.clearStateCookie('registration')
  const { recovery_codes: codes, passkey_synced } = registered.body
  if (codes) return showNewCodes(ctx, visit, { codes, email, suggestsSecond: passkey_synced === false })
  return continueSignIn(ctx, visit, registered.body)
}
