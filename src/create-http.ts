import type { Inbox } from './adapters/inbox/inbox.ts'
import type { RedisConnection } from './adapters/redis/connect.ts'
import { auditExportRoutes } from './admin/audit-export-routes.ts'
import { impersonationRoutes } from './admin/impersonation-routes.ts'
import { lockoutRoutes } from './admin/lockout-routes.ts'
import { manyUsersRoutes } from './admin/many-users-routes.ts'
import { consoleFigureRoutes } from './admin/overview-routes.ts'
import { adminRoutes } from './admin/routes.ts'
import { securityFigureRoutes } from './admin/security-routes.ts'
import { firstAdminExisted } from './admin/setup-link.ts'
import { userRoutes } from './admin/user-routes.ts'
import { applicationRoutes } from './applications/routes.ts'
import { applicationSecretRoutes } from './applications/secrets/routes.ts'
import { applicationTestRoutes } from './applications/sign-in-test/routes.ts'
import { recordAudit } from './audit/record.ts'
import { auditRoutes } from './audit/routes.ts'
import { authRoutes } from './auth/routes.ts'
import type { Context } from './context.ts'
import { validateCredentials } from './credentials/bridge.ts'
import { verifyKey } from './credentials/gateway.ts'
import type { Database } from './db/connect.ts'
import { emailChangeRoutes } from './email-addresses/change-routes.ts'
import { emailRoutes } from './email-addresses/routes.ts'
import { describeEvents } from './events/describe-events.ts'
import { eventLogRoutes } from './events/routes.ts'
import { findBrowserSession } from './handover/browser-session.ts'
import { handoverRoutes } from './handover/routes.ts'
import { addApiDescription, apiDescription } from './http/openapi/describe-api.ts'
import { createServer } from './http/server/create-server.ts'
import { healthRoutes } from './http/server/health.ts'
import { metricsRoutes } from './http/server/metrics.ts'
import type { HttpServer } from './http/server/types.ts'
import type { Hub } from './hub/hub.ts'
import { hubRoutes } from './hub/routes.ts'
import type { BackgroundJobs } from './jobs/start.ts'
import { spaceCheck } from './lib/free-space.ts'
import { outboxRoutes } from './messages/outbox-routes.ts'
import { templateRoutes } from './messages/template-routes.ts'
import { recoveryRoutes, recoverySessionRoutes } from './passkeys/recovery/routes.ts'
import { passkeyRegistrationRoutes } from './passkeys/registration/routes.ts'
import { passkeyLoginRoutes, passkeyRoutes } from './passkeys/routes.ts'
import { passkeyLinkRoutes } from './passkeys/sign-in-link/routes.ts'
import { wellKnownRoutes } from './passkeys/well-known/routes.ts'
import { tokenRoutes } from './passwordless/routes.ts'
import { findInvited } from './passwords/complete-reset.ts'
import { passwordRoutes } from './passwords/routes.ts'
import { pictureRoutes } from './pictures/routes.ts'
import { profileRoutes } from './profile/routes.ts'
import { ownSessionRoutes } from './profile/session-routes.ts'
import { permissionRoutes } from './roles/declaration/permission-routes.ts'
import { declarationRoutes } from './roles/declaration/routes.ts'
import { userRoleRoutes } from './roles/grants/routes.ts'
import { changeRoleOf } from './roles/grants/set-roles.ts'
import { roleRoutes } from './roles/routes.ts'
import { accountRoutes } from './screens/account/routes.ts'
import { consoleRoutes } from './screens/console/routes.ts'
import { passkeyLinkPageRoutes } from './screens/passkey-link/routes.ts'
import { resetRoutes } from './screens/password-reset/routes.ts'
import { registerRoutes } from './screens/registration/register/routes.ts'
import { verifyEmailRoutes } from './screens/registration/verify-email/routes.ts'
import { registerWithPasskeyRoutes } from './screens/registration/with-passkey/routes.ts'
import { loginByMailRoutes } from './screens/sign-in/by-mail/routes.ts'
import { loginRoutes } from './screens/sign-in/login/routes.ts'
import { passkeyOfferRoutes } from './screens/sign-in/passkey-offer/routes.ts'
import { recoverRoutes } from './screens/sign-in/recover/routes.ts'
import { afterSignIn } from './screens/sign-in/sign-in-options.ts'
import { logoutRoutes } from './screens/sign-out/routes.ts'
import { stopImpersonatingRoutes } from './screens/sign-out/stop-routes.ts'
import { pageRoutes } from './screens/start/routes.ts'
import { setupRoutes } from './screens/start/setup/routes.ts'
import { authenticate } from './sessions/authenticate.ts'
import { bridgeRoutes } from './sessions/bridge-routes.ts'
import { eventRoutes } from './sessions/event-routes.ts'
import { gatewayRoutes } from './sessions/gateway-routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { isRecentlyProven } from './sessions/session.ts'
import { enabledProviders } from './social/providers/index.ts'
import { socialRoutes } from './social/routes.ts'
import { settingRoutes } from './stored-settings/routes.ts'
import { languageRoutes } from './ui/language/routes.ts'
import { errorPage } from './ui/messages/error/view.ts'
import { sendPage } from './ui/shared/send-page.ts'
import { webhookRoutes } from './webhooks/routes.ts'

interface Running {
  hub: Hub
  jobs: BackgroundJobs
  redis: RedisConnection | undefined
  state: { accepting: boolean }
}

export async function createHttp(
  ctx: Context,
  database: Database,
  inbox: Inbox | undefined,
  { hub, jobs, redis, state }: Running,
): Promise<HttpServer> {
  const http = createServer(ctx, {
    authenticate: authenticate(ctx),
    audit: (event, device, { details, actor } = {}) =>
      recordAudit(ctx, { event, outcome: 'failure', device, actor, details }),
    isRecentlyProven: (auth) => isRecentlyProven(ctx, auth),
    sharedRoutes: hub.installed.modules.flatMap(({ sharedRoutes }) => sharedRoutes?.(ctx) ?? []),
    errorPage: (request, reply, { status, code, retryAfter }) => {
      const again = request.method === 'GET' ? request.url : undefined
      const console = request.url.startsWith('/admin/') ? '/admin' : undefined
      const data = { status, code, retryAfter, again, requestId: request.id, home: afterSignIn(ctx.config), console }
      return sendPage(ctx, request, reply, (page) => errorPage(data, page))
    },
  })
  await addApiDescription(http, ctx.config.APP_NAME, ctx.config.PUBLIC_URL)
  const filesHaveSpace = ctx.config.STORAGE_URL.kind === 'local' ? spaceCheck(ctx.config.DATA_DIR) : async () => true
  const checks = {
    isDatabaseUp: () =>
      database.checkSignIns().then(
        () => true,
        () => false,
      ),
    isAcceptingWork: () => state.accepting,
    store: async () =>
      (redis === undefined || redis.isUp()) && (await filesHaveSpace()) ? ('ok' as const) : ('degraded' as const),
    queue: () => (jobs.isHealthy() ? ('ok' as const) : ('degraded' as const)),
  }
  const providers = enabledProviders(ctx.config)
  const secondFactor = hub.installed.modules.find(({ pages }) => pages?.secondFactor)?.pages?.secondFactor
  const features = [
    authRoutes,
    sessionRoutes,
    bridgeRoutes(validateCredentials),
    eventRoutes,
    gatewayRoutes(verifyKey),
    handoverRoutes,
    tokenRoutes,
    emailRoutes,
    passwordRoutes,
    emailChangeRoutes,
    profileRoutes,
    ownSessionRoutes,
    passkeyLoginRoutes,
    passkeyRoutes,
    passkeyRegistrationRoutes,
    recoveryRoutes,
    recoverySessionRoutes,
    passkeyLinkRoutes,
    pictureRoutes,
    socialRoutes,
    adminRoutes,
    impersonationRoutes,
    manyUsersRoutes(changeRoleOf),
    auditExportRoutes,
    consoleFigureRoutes,
    lockoutRoutes,
    securityFigureRoutes,
    userRoutes,
    auditRoutes,
    eventLogRoutes,
    applicationRoutes,
    applicationSecretRoutes,
    roleRoutes,
    declarationRoutes,
    permissionRoutes,
    userRoleRoutes,
    applicationTestRoutes,
    webhookRoutes,
    outboxRoutes,
    templateRoutes,
    settingRoutes,
    metricsRoutes,
    loginRoutes({ providers, findSession: findBrowserSession(ctx) }),
    passkeyOfferRoutes,
    logoutRoutes,
    stopImpersonatingRoutes,
    loginByMailRoutes,
    recoverRoutes,
    registerRoutes,
    registerWithPasskeyRoutes,
    verifyEmailRoutes,
    passkeyLinkPageRoutes,
    resetRoutes((token) => findInvited(ctx, token)),
    setupRoutes,
    accountRoutes({
      providers,
      secondFactor,
      overviewParts: () => hub.installed.pages().flatMap(({ overview }) => overview ?? []),
      securityParts: () => hub.installed.pages().flatMap(({ security }) => security ?? []),
      personalData: () => hub.installed.pages().find(({ personalData }) => personalData)?.personalData,
    }),
    consoleRoutes(() => hub.installed.pages().flatMap((pages) => pages.console ?? [])),
    wellKnownRoutes,
    languageRoutes,
    hubRoutes(hub),
    ...hub.installed.modules.flatMap(({ routes, pages }) => (pages ? [routes, pages.routes] : [routes])),
  ]
  for (const routes of features) routes(ctx)(http)
  healthRoutes(checks)(http)
  const description = apiDescription(http, ctx, describeEvents())
  pageRoutes(ctx, { inbox, apiDescription: description, firstAdminExisted })(http)
  await http.ready()
  return http
}
