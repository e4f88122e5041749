import type { FastifyRequest } from 'fastify'
import type { StaffPermission } from '../../config/staff-permissions.ts'
import type { Context } from '../../context.ts'
import { type AdminAction, denialReason } from '../../http/access/permissions.ts'
import type { HttpServer } from '../../http/server/types.ts'
import { AppError } from '../../lib/errors.ts'
import { CurrentRoute } from '../../sessions/route-schemas.ts'
import { type ApiCall, call, type ResponseOf } from '../shared/api-route.ts'
import type { ApiRejection } from '../shared/call-api.ts'
import { declarePages, type PageDeclarations } from '../shared/declare-pages.ts'
import { isPage } from '../shared/is-page.ts'
import { type SignedInVisit, withSignedInVisit } from '../shared/signed-in-visit.ts'
import { visitOf } from '../shared/visit.ts'
import { adminEntriesOf } from './entries.ts'
import type { AdminArea } from './layout.ts'
import { notFoundPage } from './not-found.ts'
import { rolesInWords } from './roles.ts'

export interface AdminVisit extends Omit<SignedInVisit, 'submitKept'> {
  area: AdminArea
  /**
   * If the form requires reauthentication, returns the API's error. The page is then shown again with the entered
   * values and, above them, a link to confirm the identity in another tab.
   */
  submit: SignedInVisit['submit']
  /** Pages hide what the visitor may not do. The API enforces the permissions. */
  can(permission: StaffPermission): boolean
  may: May
  /** The time of the user's last authentication, in milliseconds since the Unix epoch. */
  provenAt: number
  /** Returns the `data` of the API's response. If the API rejects the request, an error page is shown. */
  read<Data>(apiCall: ApiCall<{ data: Data }>): Promise<Data>
}

/**
 * `section` is a navigation path. After sign-in, visitors return to the requested page. If they have submitted a form,
 * that is the page with the same path, which contains the form, or else `backTo`.
 */
export const adminPages = (
  ctx: Context,
  http: HttpServer,
  section: string,
  backTo: (request: FastifyRequest) => string = () => section,
): PageDeclarations<AdminVisit> =>
  declarePages(http, (request, reply, work) => {
    const visit = visitOf(ctx, http, request, reply)
    const back = isPage(request) ? pageAddress(request) : backTo(request)
    return withSignedInVisit(visit, back, async (member) => {
      const role = member.profile.user.user_type
      const session = await readSession(member)
      const entries = adminEntriesOf(ctx, role)
      const [first] = entries
      if (!entries.some(({ path }) => path === section)) {
        // Users whose role permits only some pages are redirected to the first of these pages.
        if (section === '/admin' && first && request.method === 'GET') return member.go(first.path)
        return deny(member, session)
      }
      // The API rejects application sessions on its administrator routes, but not on its writer routes.
      if (session.application !== null) return deny(member, session)
      const provenAt = Date.parse(session.authenticated_at ?? '')
      const isConfirmed = new URL(request.url, ctx.config.PUBLIC_URL).searchParams.get('done') === 'confirmed'
      const isMailOff = !ctx.mailer.isConfigured
      const { id: userId } = member.profile.user
      const logoutForm = visit.sign('/logout')
      const area: AdminArea = {
        path: section,
        entries,
        logoutForm,
        roles: rolesInWords(ctx),
        userId,
        isConfirmed,
        isMailOff,
      }
      const can = (permission: StaffPermission) => ctx.staff.may(role, permission)
      const submit = keepingEntries(member, area)
      try {
        return await work({ ...member, submit, area, can, may: mayOf(ctx, member), provenAt, read: readWith(member) })
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error
        return member.show((page) => notFoundPage(area, page), 404)
      }
    })
  })

/** Whether the API would allow the visitor to do this to the user, so that pages offer nothing else. */
export type May = (target: { id: string; user_type: string }, action: AdminAction, to?: string) => boolean

const mayOf =
  ({ staff }: Context, { profile }: SignedInVisit): May =>
  (target, action, to) =>
    denialReason(staff, profile.user, target, { action, to }) === undefined

type CurrentSession = ResponseOf<typeof CurrentRoute>

async function readSession({ api }: SignedInVisit): Promise<CurrentSession> {
  const response = await api(call(CurrentRoute))
  if (!response.ok) throw rejectionOf(response.rejection)
  return response.body
}

async function deny(member: SignedInVisit, { impersonated_by: impersonatedBy }: CurrentSession): Promise<never> {
  await member.recordDenial(member.profile.user, impersonatedBy ?? undefined)
  throw new AppError('FORBIDDEN')
}

/** Every form of the console goes through this function, so no page can lose the entered values. */
const keepingEntries =
  ({ submitKept }: SignedInVisit, area: AdminArea): AdminVisit['submit'] =>
  async <Body>(action: string, formToken: string | undefined, apiCall: ApiCall<Body>) => {
    const response = await submitKept<Body>(action, formToken, apiCall)
    if (!response.ok && response.rejection.code === 'REAUTH_REQUIRED') area.asksForProof = true
    return response
  }

const readWith =
  ({ api }: SignedInVisit): AdminVisit['read'] =>
  async (apiCall) => {
    const response = await api(apiCall)
    if (response.ok) return response.body.data
    // Modules have their own codes for what does not exist.
    if (response.status === 404) throw new AppError('NOT_FOUND')
    throw rejectionOf(response.rejection)
  }

const rejectionOf = ({ code, retryAfter }: ApiRejection): AppError =>
  errorFor.get(code)?.(retryAfter) ?? new AppError('UNAVAILABLE')

const errorFor = new Map<string, (retryAfter?: number) => AppError>([
  ['FORBIDDEN', () => new AppError('FORBIDDEN')],
  ['NOT_FOUND', () => new AppError('NOT_FOUND')],
  ['VALIDATION_ERROR', () => new AppError('NOT_FOUND')],
  ['RATE_LIMITED', (retryAfter) => new AppError('RATE_LIMITED', retryAfter === undefined ? {} : { retryAfter })],
])

const maxAddress = 250

/** Drops long search queries because the URL is stored in a cookie during sign-in. */
function pageAddress({ url }: FastifyRequest): string {
  const [path = ''] = url.split('?')
  return url.length > maxAddress ? path : url
}
