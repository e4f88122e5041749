import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { createAuthenticator } from '../../support/authenticator.ts'
import { openBrowser } from '../../support/browser.ts'
import { freePort } from '../../support/free-port.ts'
import { handedOver } from '../../support/handover.ts'
import { addOwnPasskey } from '../../support/passkeys.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { pending, withTotp } from '../../two-factor/support.ts'

/** A service with all modules and data, its users, and a browser. */
export interface World {
  app: TestApp
  home: string
  /** A customer with an authenticator who is also signed in on another device. */
  ada: SignedIn
  /** A superadmin with a passkey. */
  grace: SignedIn
  /** The token of Ada's partial session, whose second factor has not been verified. */
  partial: string
  browser: Browser
  open(who: Visitor, look: BrowserContextOptions): Promise<BrowserContext>
  stop(): Promise<void>
}

/** `somebody` is a new user who is registered when the page is opened. `acting` is a superadmin acting as a user. */
export type Visitor = 'nobody' | 'somebody' | 'ada' | 'grace' | 'partial' | 'acting'

const noLimits = Object.fromEntries(
  ['LOGIN', 'REGISTRATION', 'TOKEN_LOGIN', 'TOKEN_VALIDATE', 'READ', 'WRITE', 'EXPORT'].map((name) => [
    `RATE_LIMIT_${name}`,
    '1000000/1m',
  ]),
)

const providers = Object.fromEntries(
  ['GOOGLE', 'GITHUB', 'MICROSOFT'].flatMap((name) => [
    [`${name}_CLIENT_ID`, 'client'],
    [`${name}_CLIENT_SECRET`, 'secret of the client'],
  ]),
)

export async function createWorld(): Promise<World> {
  const port = await freePort()
  const home = `http://localhost:${port}`
  const env = {
    BRIDGE_SECRETS: `payments-back-end:${'payments-'.repeat(5)}`,
    PUBLIC_URL: home,
    MODULES_AUTO_INSTALL: 'all',
    BLOG_ENABLED: 'true',
    POST_TYPES_ENABLED: 'true',
    GDPR_CONSENT_VERSION: '2026-11',
    ALLOWED_REDIRECTS: 'https://shop.example.com',
    ONBOARDING_STEPS: 'welcome,team',
    APP_TERMS_URL: 'https://example.com/terms',
    APP_PRIVACY_URL: 'https://example.com/privacy',
    ...noLimits,
    ...providers,
  }
  const app = await startTestApp({ env })
  await app.http.listen({ host: '127.0.0.1', port })
  const ada = await withTotp(app)
  const names = { name: 'Ada', last_name: 'Lovelace', display_name: 'Ada Lovelace', title: 'Countess' }
  await app.call('PUT', '/auth/profile', { ...withSession(ada.sessionToken), body: names })
  const grace = await signedInAs(app, 'superadmin')
  await addOwnPasskey(app, grace.sessionToken, createAuthenticator(home))
  const { sessionToken: partial } = await pending(app, ada)
  const browser = await openBrowser()
  await handedOver(app, ada.sessionToken, 'https://shop.example.com/')
  const acting = await impersonated(app, grace)
  const bearers = { nobody: '', ada: ada.sessionToken, grace: grace.sessionToken, partial, acting }
  return {
    app,
    home,
    ada,
    grace,
    partial,
    browser,
    async open(who, look) {
      const context = await browser.newContext(look)
      const value = who === 'somebody' ? (await registered(app)).sessionToken : bearers[who]
      if (value) await context.addCookies([{ name: 'session_id', value, url: home }])
      if (who === 'acting') await context.addCookies([{ name: 'own_session', value: grace.sessionToken, url: home }])
      return context
    },
    async stop() {
      await browser.close()
      await app.stop()
    },
  }
}

async function impersonated(app: TestApp, { sessionToken }: SignedIn): Promise<string> {
  const { id } = await registered(app)
  const body = { reason: 'They report an empty page' }
  return (await app.post(`/auth/admin/users/${id}/impersonate`, body, withSession(sessionToken))).json.sessionId
}
