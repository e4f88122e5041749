import type { FastifyRequest } from 'fastify'
import type { Inbox } from '../adapters/inbox/inbox.ts'
import type { Context } from '../context.ts'
import { anyone } from '../http/access.ts'
import type { Routes } from '../http/create-server.ts'
import { isLocalCaller } from '../http/local-caller.ts'
import { AppError } from '../lib/errors.ts'
import { confirmPage } from './confirm-page.ts'
import { devInboxPage } from './dev-inbox-page.ts'
import { docsPage } from './docs-page.ts'
import { homePage } from './home-page.ts'
import { loginPage } from './login-page.ts'
import { type NoticeKey, notice, noticePage } from './notice-page.ts'
import { loginFormPath, signPage } from './page-value.ts'
import { DescriptionRoute, DocsRoute, HomeRoute, InboxRoute, LoginPageRoute } from './schemas.ts'
import { sendPage } from './send-page.ts'

const config = { access: anyone, limit: 'read', hidden: true } as const

/** Pages that hold no rule of their own. `inbox` is there in development only. */
export const pageRoutes =
  (ctx: Context, inbox: Inbox | undefined, apiDescription: () => unknown): Routes =>
  (http) => {
    http.get('/', { schema: HomeRoute, config }, (request, reply) =>
      sendPage(ctx, request, reply, (page) => homePage({ development: inbox !== undefined }, page)),
    )
    http.get('/docs', { schema: DocsRoute, config }, (request, reply) => sendPage(ctx, request, reply, docsPage))
    http.get('/openapi.json', { schema: DescriptionRoute, config }, (_request, reply) => reply.send(apiDescription()))
    http.get('/login', { schema: LoginPageRoute, config }, (request, reply) => {
      const { token } = request.query
      return sendPage(ctx, request, reply, (page) => {
        if (token !== undefined && takesLinks(ctx)) return confirmPage(loginForm(ctx, token), page)
        const happened = whatHappened(request.query)
        return happened === undefined || happened === 'verified'
          ? loginPage(happened ? { notice: happened } : {}, page)
          : noticePage(notice(happened, page.lang), page)
      })
    })
    if (inbox) inboxRoutes(ctx, inbox)(http)
  }

/** A page has no bridge secret to send along. */
const takesLinks = ({ config }: Context): boolean => config.TOKEN_LOGIN_ENABLED && !config.TOKEN_LOGIN_REQUIRES_BRIDGE

function loginForm({ config, clock }: Context, token: string) {
  const page = signPage(config, loginFormPath, token, clock.now())
  return { purpose: 'login_link' as const, action: loginFormPath, token, page }
}

/** What the route that leads here has just done. */
function whatHappened(query: {
  verification?: string
  token_login?: string
  requires_2fa?: string
  email_change?: string
  social_login?: string
  error?: string
}): NoticeKey | undefined {
  if (query.social_login === 'linked') return 'identity_added'
  if (query.social_login === 'error') return socialErrors.get(query.error ?? '') ?? 'provider_error'
  if (query.token_login === 'success' || query.social_login === 'success')
    return query.requires_2fa === 'true' ? 'second_factor_due' : 'signed_in'
  if (query.verification === 'success') return 'verified'
  return emailChanges.get(query.email_change ?? '')
}

const emailChanges = new Map<string, NoticeKey>([
  ['pending', 'email_change_pending'],
  ['completed', 'email_changed'],
  ['cancelled', 'email_change_cancelled'],
])

const socialErrors = new Map<string, NoticeKey>([
  ['access_denied', 'access_denied'],
  ['account_exists', 'account_exists'],
  ['registration_disabled', 'registration_disabled'],
  ['email_required', 'email_required'],
  ['rate_limited', 'too_many_attempts'],
])

/** Shows every link and code that was sent, so it answers to this machine alone. */
const inboxRoutes =
  (ctx: Context, inbox: Inbox): Routes =>
  (http) => {
    http.get('/dev/inbox', { schema: InboxRoute, config }, (request, reply) => {
      assertLocal(ctx, request)
      const { to } = request.query
      return sendPage(ctx, request, reply, (page) =>
        devInboxPage({ messages: inbox.list(to ? { to } : {}), to: to ?? '' }, page),
      )
    })
    http.get('/dev/inbox.json', { schema: InboxRoute, config }, (request, reply) => {
      assertLocal(ctx, request)
      return reply.send(inbox.list(request.query))
    })
  }

function assertLocal({ config }: Context, request: FastifyRequest): void {
  if (!isLocalCaller(request, config.PUBLIC_URL)) throw new AppError('NOT_FOUND')
}
