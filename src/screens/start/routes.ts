import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Inbox } from '../../adapters/inbox/inbox.ts'
import { getLogo } from '../../applications/get-logo.ts'
import { logoVersion } from '../../config/branding.ts'
import type { Config } from '../../config/load.ts'
import type { Context } from '../../context.ts'
import { staffWith } from '../../http/access/access.ts'
import { isLocalCaller } from '../../http/access/local-caller.ts'
import { logoHeaders } from '../../http/responses/response-headers.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { AppError } from '../../lib/errors.ts'
import { call } from '../../ui/shared/api-route.ts'
import { readByAnyone, visitorPages } from '../../ui/shared/declare-pages.ts'
import { DescriptionRoute, DocsRoute, HomeRoute, InboxRoute, LogoRoute } from '../../ui/shared/schemas.ts'
import { sendPage } from '../../ui/shared/send-page.ts'
import { type SignedInVisit, withSignedInVisit } from '../../ui/shared/signed-in-visit.ts'
import { ProfileRoute } from '../../users/profile-schemas.ts'
import { afterSignIn, registrationPathOf } from '../sign-in/sign-in-options.ts'
import { brandRoutes } from './brand.ts'
import { devInboxPage } from './dev-inbox/view.ts'
import { docsPage } from './docs/view.ts'
import { homePage } from './home/view.ts'
import { siteFileRoutes } from './site-files.ts'

interface Parts {
  /** Defined only in development. */
  inbox: Inbox | undefined
  apiDescription: () => unknown
  firstAdminExisted: (ctx: Context) => Promise<boolean>
}

export const pageRoutes =
  (ctx: Context, { inbox, apiDescription, firstAdminExisted }: Parts): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)
    const { config } = ctx
    pages.get('/', { schema: HomeRoute, config: readByAnyone }, async (visit) => {
      const development = inbox !== undefined
      const hasAdmin = await firstAdminExisted(ctx)
      if (config.isProduction && hasAdmin) return visit.go(visit.bringsSession ? afterSignIn(config) : signInOf(config))
      const suggestedModule = development ? ctx.modules.suggestion() : undefined
      const { DOCS_PAGE, PASSWORDS_ENABLED: hasPasswords } = ctx.config
      const registerPath = registrationPathOf(ctx, visit.rules)
      const data = { development, hasAdmin, suggestedModule, hasPasswords, registerPath, docs: DOCS_PAGE === 'on' }
      return visit.show((page) => homePage(data, page))
    })
    if (config.DOCS_PAGE !== 'off') docsRoutes(ctx, apiDescription)(http)
    http.get('/logo', { schema: LogoRoute, config: readByAnyone }, async ({ query }, reply) => {
      const logo = query.application === undefined ? brandLogo(ctx.config) : await getLogo(ctx, query.application)
      logoHeaders(reply, logo.type, query.v === logo.version)
      return reply.send(logo.bytes)
    })
    brandRoutes(ctx)(http)
    siteFileRoutes(ctx)(http)
    if (inbox) inboxRoutes(ctx, inbox)(http)
  }

function brandLogo({ APP_LOGO: logo }: Config) {
  if (!logo) throw new AppError('NOT_FOUND')
  return { ...logo, version: logoVersion(logo) }
}

const signInOf = ({ FRONTEND_URL, PUBLIC_URL }: Config): string =>
  FRONTEND_URL === PUBLIC_URL ? '/login' : FRONTEND_URL

const docsRoutes =
  (ctx: Context, apiDescription: () => unknown): DeclareRoutes =>
  (http) => {
    const forAdmins = ctx.config.DOCS_PAGE === 'admins'
    visitorPages(ctx, http).get('/docs', { schema: DocsRoute, config: readByAnyone }, async (visit) => {
      if (forAdmins) return withSignedInVisit(visit, '/docs', docsForAdmins(ctx))
      const response = visit.bringsSession ? await visit.api(call(ProfileRoute)) : undefined
      const profile = response?.ok ? response.body.data : undefined
      return visit.show((page) => docsPage({ signedInAs: profile?.user.email ?? '' }, page), 200, profile?.lang)
    })
    const config = forAdmins ? { ...readByAnyone, access: staffWith(docsPermission) } : readByAnyone
    http.get('/openapi.json', { schema: DescriptionRoute, config }, (_request, reply) => reply.send(apiDescription()))
  }

/** With DOCS_PAGE=admins. */
const docsPermission = 'settings:read'

const docsForAdmins =
  ({ staff }: Context) =>
  ({ profile, show }: SignedInVisit): FastifyReply => {
    if (!staff.may(profile.user.user_type, docsPermission)) throw new AppError('FORBIDDEN')
    return show((page) => docsPage({ signedInAs: profile.user.email }, page))
  }

/** The inbox shows all links and codes, so it can be opened only from this machine. */
const inboxRoutes =
  (ctx: Context, inbox: Inbox): DeclareRoutes =>
  (http) => {
    http.get('/dev/inbox', { schema: InboxRoute, config: readByAnyone }, (request, reply) => {
      assertLocal(ctx, request)
      const { to } = request.query
      return sendPage(ctx, request, reply, (page) =>
        devInboxPage({ messages: inbox.list(to ? { to } : {}), to: to ?? '' }, page),
      )
    })
    http.get('/dev/inbox.json', { schema: InboxRoute, config: readByAnyone }, (request, reply) => {
      assertLocal(ctx, request)
      return reply.send(inbox.list(request.query).toReversed())
    })
  }

function assertLocal({ config }: Context, request: FastifyRequest): void {
  if (!isLocalCaller(request, config.PUBLIC_URL)) throw new AppError('NOT_FOUND')
}
