import type { Context } from '../../../../../context.ts'
import type { DeclareRoutes } from '../../../../../http/server/types.ts'
import { RemovePasskeyRoute } from '../../../../../passkeys/schemas.ts'
import { readPasskeys } from '../../../../../screens/account/security/list/show-security.ts'
import { type AccountVisit, accountPages } from '../../../../../ui/account/account-visit.ts'
import { typedCode } from '../../../../../ui/fields/code-fields.ts'
import { securityPath } from '../../../../../ui/paths.ts'
import { type ApiCall, call } from '../../../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../../../ui/shared/declare-pages.ts'
import { passkeyResponse } from '../../../../../ui/shared/passkey-response.ts'
import { sendOutcomeOf } from '../../../../../ui/shared/second-factor-pages.ts'
import { RemoveRoute, ToggleRoute, VerifyFactorRoute } from '../../../schemas.ts'
import { sendCode } from '../../send-code.ts'
import { findListedMethods, isSent, type ListedMethod, passkeyProblem } from '../shared/methods.ts'
import { securityPaths } from '../shared/paths.ts'
import * as schemas from '../shared/schemas.ts'
import { type ProofAction, type ProofPage, proofPage, proofPathOf, proversOf, sendPathOf } from './view.ts'

/** Actions that make the account less secure require verification with a second factor. */
export const securityProofRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, securityPath)
    const read = { ...readByAnyone, module: 'two-factor' }
    const form = { ...postedByAnyone, module: 'two-factor' }

    for (const [path, sendPath] of [
      [securityPaths.remove, securityPaths.removeSend],
      [securityPaths.off, securityPaths.offSend],
    ] as const) {
      const action = path === securityPaths.remove ? 'remove' : 'toggle'

      pages.get(path, { schema: schemas.ProofPageRoute, config: read }, async (member, request) => {
        const requested = await proofRequestOf(member, action, request.query)
        return requested ? showProof(member, requested) : member.go(securityPath)
      })

      pages.post(path, { schema: schemas.ProofRoute, config: form }, async (member, request) => {
        const { code, response, form_token: formToken } = request.body
        const requested = await proofRequestOf(member, action, request.body)
        if (!requested) return member.go(securityPath)
        if (!(await member.isOwn(path, formToken)))
          return showProof(member, { ...requested, problem: 'PAGE_EXPIRED' }, 400)
        return act(member, requested, { code, response })
      })

      pages.post(sendPath, { schema: schemas.ProofSendRoute, config: form }, async (member, request) => {
        const requested = await proofRequestOf(member, action, request.body)
        if (!requested) return member.go(securityPath)
        if (!(await member.isOwn(sendPath, request.body.form_token)))
          return showProof(member, { ...requested, problem: 'PAGE_EXPIRED' }, 400)
        return send(member, requested)
      })
    }
  }

interface ProofRequest {
  action: ProofAction
  methods: ListedMethod[]
  chosen: ListedMethod
}

/** Returns the action and method for the verification, or undefined if the action is not possible. */
async function proofRequestOf(
  member: AccountVisit,
  action: ProofAction['kind'],
  { id, method_id }: { id?: string; method_id?: string },
): Promise<ProofRequest | undefined> {
  const methods = await findListedMethods(member)
  const purpose = await actionOf(member, action, methods, id)
  if (!purpose) return undefined
  const provers = proversOf(purpose, methods)
  // A pending method can be removed without verification.
  const itself = purpose.kind === 'remove' ? purpose.target : undefined
  const chosen = provers.find((method) => method.id === method_id) ?? provers[0] ?? itself
  return chosen && { action: purpose, methods, chosen }
}

async function actionOf(
  member: AccountVisit,
  action: ProofAction['kind'],
  methods: ListedMethod[],
  id = '',
): Promise<ProofAction | undefined> {
  if (action === 'toggle') return { kind: action }
  const target = methods.find((method) => method.id === id && method.method !== 'recovery')
  const removed = target ?? (await findPasskey(member, id))
  return removed && { kind: action, target: removed }
}

/** Whether the passkey is no second factor in this installation. The core then removes it. */
const isOtherPasskey = ({ action, methods }: ProofRequest): boolean =>
  action.kind === 'remove' && !methods.some(({ id }) => id === action.target.id)

async function findPasskey(member: AccountVisit, id: string): Promise<ListedMethod | undefined> {
  const passkey = (await readPasskeys(member)).find((one) => one.id === id)
  return passkey && { ...passkey, method: 'passkey', status: 'active', identifier: null, metadata: passkey }
}

interface ProofInput {
  code: string | undefined
  response: string | undefined
}

/** A passkey is verified before the action. A code is sent in the request for the action. */
async function act(member: AccountVisit, requested: ProofRequest, { code, response }: ProofInput) {
  const { action, chosen } = requested
  if (response !== undefined) {
    const body = { action: action.kind, method_id: chosen.id, response: passkeyResponse(response) }
    const shown = await member.api(call(VerifyFactorRoute, { body }))
    if (!shown.ok)
      return showProof(member, { ...requested, problem: passkeyProblem(shown.rejection.code) }, shown.status)
  }
  if (isOtherPasskey(requested) && !code?.trim())
    return showProof(member, { ...requested, problem: 'TWO_FACTOR_CODE_REQUIRED' }, 400)
  const answer = await member.api<unknown>(callOf(requested, code))
  if (answer.ok) return member.go(`${securityPath}?done=${action.kind === 'remove' ? 'removed' : 'off'}`)
  const { code: problem, attempts_remaining: attemptsLeft } = answer.rejection
  return showProof(member, { ...requested, problem, attemptsLeft }, answer.status)
}

function callOf(requested: ProofRequest, code: string | undefined): ApiCall {
  const { action, chosen } = requested
  const proof = code?.trim() ? { verification_code: typedCode(code), verification_method_id: chosen.id } : {}
  if (action.kind === 'toggle') return call(ToggleRoute, { body: { enabled: false, ...proof } })
  const { id } = action.target
  if (!isOtherPasskey(requested)) return call(RemoveRoute, { params: { method_id: id }, body: proof })
  return call(RemovePasskeyRoute, {
    params: { passkey_id: id },
    body: { code: typedCode(code ?? ''), method_id: chosen.id },
  })
}

async function send(member: AccountVisit, requested: ProofRequest) {
  const { action, chosen } = requested
  if (!isSent(chosen)) return showProof(member, requested)
  const answer = await member.api(sendCode(chosen, isOtherPasskey(requested) ? 'reauth' : action.kind))
  if (!answer.ok) return showProof(member, { ...requested, problem: answer.rejection.code }, answer.status)
  return showProof(member, { ...requested, sendOutcome: sendOutcomeOf(answer.body) })
}

type ProofView = ProofRequest & Pick<ProofPage, 'sendOutcome' | 'problem' | 'attemptsLeft'>

function showProof({ area, sign, show }: AccountVisit, data: ProofView, status?: number) {
  const { action } = data
  const forms = { prove: sign(proofPathOf(action)), send: sign(sendPathOf(action)) }
  return show((page) => proofPage({ area, forms, ...data }, page), status)
}
