import type { FastifyReply } from 'fastify'
import type { Config } from '../../../config/load.ts'
import type { Context } from '../../../context.ts'
import type { HttpServer } from '../../../http/server/create-server.ts'
import { AppError, sessionPending } from '../../../lib/errors.ts'
import { confirmPath } from '../../flow/end-flow.ts'
import type { ApiCall, ApiReply } from '../../shared/call-api.ts'
import { declarePages, type PageDeclarations } from '../../shared/declare-pages.ts'
import type { PageContext } from '../../shared/render.ts'
import { type PageApi, type PageVisit, submitWith, visitOf } from '../../shared/visit.ts'
import { secondStepPath } from '../../sign-in/login/view.ts'
import { entriesOf } from './entries.ts'
import type { AccountArea } from './layout.ts'

export { confirmPath } from '../../flow/end-flow.ts'

/** Modules add members through declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: modules fill it.
export interface ModuleProfileMembers {}

/** The reply to GET /auth/profile. */
export interface AccountProfile {
  user: ModuleProfileMembers & {
    id: string
    email: string
    name: string
    last_name: string
    user_name: string
    user_type: string
    picture: string
    is_verified: boolean
    tmz: string | null
    dob: string | null
    display_name: string | null
    gender: string | null
    title: string | null
  }
  phone: string
  /** Null for the browser's language. */
  lang: string | null
  has_password: boolean
}

export interface AccountVisit extends PageVisit {
  profile: AccountProfile
  area: AccountArea
  /** Shows the page in the user's language. */
  show(render: (page: PageContext) => string, status?: number): FastifyReply
}

export interface FormOutcome {
  done?: string | undefined
  problem?: string | undefined
}

/** `path` is the path of the page with the forms. After a redirect, the visitor returns to it. */
export const accountPages = (ctx: Context, http: HttpServer, path: string): PageDeclarations<AccountVisit> =>
  declarePages(http, (request, reply, work) => withAccountVisit(ctx, visitOf(ctx, http, request, reply), path, work))

/** Redirects the visitor if an API call reports that the session has ended or that recent proof is required. */
export async function withAccountVisit(
  ctx: Context,
  visit: PageVisit,
  path: string,
  work: (member: AccountVisit) => FastifyReply | Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    const answer = await callOrRedirect<{ data: AccountProfile }>(visit, { method: 'GET', path: '/auth/profile' })
    if (!answer.ok) throw new AppError(answer.status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE')
    const profile = answer.body.data
    const area = { path, entries: entriesOf(ctx), logoutForm: visit.sign('/logout') }
    const api: PageApi = (call) => callOrRedirect(visit, call)
    const show: AccountVisit['show'] = (render, status) => visit.show(render, status, profile.lang)
    const isOwn: AccountVisit['isOwn'] = (action, formToken) => visit.isOwn(action, formToken, profile.user)
    return await work({ ...visit, api, show, isOwn, submit: submitWith(isOwn, api), profile, area })
  } catch (error) {
    if (error instanceof RedirectVisitor) return visit.go(error.target(visit, path))
    throw error
  }
}

async function callOrRedirect<Body>(visit: PageVisit, call: ApiCall): Promise<ApiReply<Body>> {
  const reply = await visit.api<Body>(call)
  const lead = reply.ok ? undefined : redirects.get(reply.refusal.code)
  if (lead) throw new RedirectVisitor(lead)
  return reply
}

type RedirectFor = (visit: PageVisit, path: string) => string

/** After the sign-in, the visitor returns to this page. The overview is the default and is not stored. */
const toSignIn =
  (address: (visit: PageVisit) => string): RedirectFor =>
  (visit, path) => {
    if (path !== '/account' && !visit.flowId) visit.setStateCookie('wanted', path)
    return address(visit)
  }

const redirects = new Map<string, RedirectFor>([
  ['INVALID_SESSION', toSignIn(({ bringsSession }) => (bringsSession ? '/login?ended=session' : '/login'))],
  ['SESSION_EXPIRED', toSignIn(() => '/login?ended=session')],
  [sessionPending, toSignIn(() => secondStepPath)],
  ['REAUTH_REQUIRED', (_visit, path) => `${confirmPath}?next=${encodeURIComponent(path)}`],
])

class RedirectVisitor extends Error {
  readonly target: RedirectFor
  constructor(lead: RedirectFor) {
    super('the visitor goes elsewhere')
    this.target = lead
  }
}

/** A picture from this service, or an initial. Pages load nothing from other hosts. */
export interface AccountPortrait {
  address: string | undefined
  letter: string
}

export function portraitOf({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, user: AccountProfile['user']): AccountPortrait {
  const kept = `${PUBLIC_URL}/auth/pictures/`
  const address = user.picture.startsWith(kept) ? user.picture.slice(PUBLIC_URL.length) : undefined
  const [letter = ''] = displayNameOf(user)
  return { address, letter: letter.toUpperCase() }
}

export const displayNameOf = ({ display_name, name, last_name, user_name }: AccountProfile['user']): string =>
  display_name || [name, last_name].filter((part) => part !== '').join(' ') || user_name
