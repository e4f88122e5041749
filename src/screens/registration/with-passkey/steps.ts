import { isFieldUsed } from '../../../config/profile-fields.ts'
import type { Context } from '../../../context.ts'
import { StartRegistrationRoute } from '../../../passkeys/registration/schemas.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import type { PageProblem } from '../../../ui/shared/problem-text.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { registrationWithoutPasskeyOf } from '../../sign-in/sign-in-options.ts'
import type { Names } from '../register/name-inputs.ts'
import { addressPage, codePage, passkeyPage, paths } from './view.ts'

/** A registration whose code was sent, or would have been sent if the address were free. */
export interface StartedRegistration {
  id: string
  email: string
}

export function startedRegistration(visit: PageVisit): StartedRegistration | undefined {
  const [id, email] = visit.stateCookie('registration')?.split(' ') ?? []
  return id && email ? { id, email } : undefined
}

interface AddressView {
  email?: string
  rejection?: ApiRejection
}

export function askForAddress({ config }: Context, visit: PageVisit, view: AddressView, status?: number) {
  const email = startedRegistration(visit)?.email ?? visit.flow?.loginHint ?? ''
  const data = {
    formToken: visit.sign(paths.address),
    other: registrationWithoutPasskeyOf(config, visit.rules),
    email,
    ...view,
  }
  return visit.show((page) => addressPage(data, page), status)
}

interface CodeView {
  email: string
  problem?: PageProblem
}

export function askForCode({ config }: Context, visit: PageVisit, view: CodeView, status?: number) {
  const data = { formToken: visit.sign(paths.code), codeLifetime: config.CODE_TTL, ...view }
  return visit.show((page) => codePage(data, page), status)
}

interface PasskeyView {
  started: StartedRegistration
  code: string
  input?: Names
  rejection?: ApiRejection
}

/** Each attempt needs new options. If the code is no longer valid, the user must enter another one. */
export async function askForPasskey(ctx: Context, visit: PageVisit, view: PasskeyView, status?: number) {
  const { started, code, input, rejection } = view
  const body = { registration_id: started.id, code }
  const response = await visit.api(call(StartRegistrationRoute, { body }))
  if (!response.ok)
    return askForCode(ctx, visit, { email: started.email, problem: response.rejection }, response.status)
  const data = {
    formToken: visit.sign(paths.passkey),
    options: response.body.options,
    code,
    hasLastName: isFieldUsed(ctx.config, 'last_name'),
    other: registrationWithoutPasskeyOf(ctx.config, visit.rules),
    input,
    rejection,
  }
  return visit.show((page) => passkeyPage(data, page), status)
}
