import type { FastifyReply } from 'fastify'
import { AppError, sessionPending } from '../../lib/errors.ts'
import { ProfileRoute } from '../../users/profile-schemas.ts'
import { confirmPath } from '../flow/end-flow.ts'
import { noticeOtherUser, noticePage } from '../messages/notice/view.ts'
import { recoverPasskeyPath, secondStepPath } from '../paths.ts'
import { type ApiCall, call } from './api-route.ts'
import type { ApiRejection, ApiResponse } from './call-api.ts'
import { type AccountProfile, displayNameOf } from './profile.ts'
import type { PageContext } from './render.ts'
import { type PageApi, type PageVisit, submitWith } from './visit.ts'

export interface SignedInVisit extends PageVisit {
  profile: AccountProfile
  /**
   * Like `submit`, but if reauthentication is required, returns the API's error instead of redirecting the visitor, so
   * that the page keeps the entered values.
   */
  submitKept: PageVisit['submit']
  /** Shows the page in the user's language. */
  show(render: (page: PageContext) => string, status?: number): FastifyReply
}

/** Redirects if the session has ended or reauthentication is required. Afterwards, the visitor returns to `path`. */
export async function withSignedInVisit(
  visit: PageVisit,
  path: string,
  work: (member: SignedInVisit) => FastifyReply | Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    const response = await callOrRedirect(visit, call(ProfileRoute))
    if (!response.ok) throw new AppError(response.status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE')
    const profile = response.body.data
    const api: PageApi = (apiCall) => callOrRedirect(visit, apiCall)
    const actingAs = displayNameOf(profile.user)
    const show: SignedInVisit['show'] = (render, status) =>
      visit.show((page) => render({ ...page, actingAs }), status, profile.lang)
    const sign: SignedInVisit['sign'] = (action) => visit.sign(action, profile.user.id)
    const isOwn: SignedInVisit['isOwn'] = async (action, formToken) => {
      if (await visit.isOwn(action, formToken, profile.user)) return true
      // The page must not show this person what the other one has typed.
      if (visit.isOfOtherUser(formToken, profile.user.id)) throw new FormOfOtherUser(actingAs, profile.lang)
      return false
    }
    const submitKept = submitWith(isOwn, (apiCall) => callOrRedirect(visit, apiCall, ['REAUTH_REQUIRED']))
    const lang = visit.langOf(profile.lang)
    return await work({ ...visit, lang, api, show, sign, isOwn, submit: submitWith(isOwn, api), submitKept, profile })
  } catch (error) {
    if (error instanceof RedirectVisitor) return visit.go(error.target(visit, path))
    if (error instanceof FormOfOtherUser)
      return visit.show((page) => noticePage(noticeOtherUser(error.name, path, page.lang), page), 400, error.lang)
    throw error
  }
}

async function callOrRedirect<Body>(
  visit: PageVisit,
  apiCall: ApiCall<Body>,
  returned: readonly string[] = [],
): Promise<ApiResponse<Body>> {
  const reply = await visit.api<Body>(apiCall)
  const lead = reply.ok ? undefined : redirectFor(reply.rejection)
  if (lead && !(!reply.ok && returned.includes(reply.rejection.code))) throw new RedirectVisitor(lead)
  return reply
}

function redirectFor({ code, passkey_required }: ApiRejection): RedirectFor | undefined {
  if (code === 'REAUTH_REQUIRED') return toConfirmation(passkey_required && { way: 'passkey' })
  return passkey_required ? toSignIn(() => recoverPasskeyPath) : redirects.get(code)
}

type RedirectFor = (visit: PageVisit, path: string) => string

/** After sign-in, the visitor returns to `path`. The account overview is the default, so its path is not stored. */
const toSignIn =
  (address: (visit: PageVisit) => string): RedirectFor =>
  (visit, path) => {
    if (path !== '/account' && !visit.flowId) visit.setStateCookie('wanted', path)
    return address(visit)
  }

const toConfirmation =
  (only: { way: string } | undefined): RedirectFor =>
  (_visit, path) =>
    `${confirmPath}?${new URLSearchParams({ next: path, ...only })}`

function signInAddress({ bringsSession, hasSeveralCookies }: PageVisit): string {
  // The rejected API call has cleared all session cookies but one, which may be valid.
  if (hasSeveralCookies) return '/login?cookies=cleared'
  return bringsSession ? '/login?ended=session' : '/login'
}

const redirects = new Map<string, RedirectFor>([
  ['INVALID_SESSION', toSignIn(signInAddress)],
  ['SESSION_EXPIRED', toSignIn(() => '/login?ended=session')],
  [sessionPending, toSignIn(() => secondStepPath)],
])

class FormOfOtherUser extends Error {
  readonly lang: string | null
  constructor(name: string, lang: string | null) {
    super('the form was shown to another person')
    this.name = name
    this.lang = lang
  }
}

class RedirectVisitor extends Error {
  readonly target: RedirectFor
  constructor(lead: RedirectFor) {
    super('the visitor goes elsewhere')
    this.target = lead
  }
}
