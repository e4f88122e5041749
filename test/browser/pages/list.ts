import type { Page } from 'playwright-core'
import type { PageLanguage } from '../../../src/ui/texts/index.ts'
import { startedChange } from '../../email-addresses/change-support.ts'
import { asked } from '../../passwordless/support.ts'
import { registered } from '../../support/people.ts'
import { accessPages, applicationPages } from './access-pages.ts'
import { accountPages } from './account-pages.ts'
import { adminPages, withBrandedApplication } from './admin-pages.ts'
import { blogPages } from './blog-pages.ts'
import { entryPages } from './entry-pages.ts'
import { oauthPages } from './oauth-pages.ts'
import { ownDataPages } from './own-data-pages.ts'
import { securityPages } from './security-pages.ts'
import type { Visitor, World } from './world.ts'

/** A page in a particular state that the browser tests check. */
export interface ListedPage {
  name: string
  /** The path of the page to open. */
  path: string | ((world: World) => Promise<string>)
  /** The path after the redirect, if `path` redirects to another page. */
  leadsTo?: string
  /** The page's language, if it does not depend on the visitor's. */
  lang?: PageLanguage
  /** The signed-in user. Default: `nobody`. */
  as?: Visitor
  /** Actions to perform before the check that lead to another page or state. */
  act?: (page: Page, world: World) => Promise<void>
}

const forApplication = (more: Record<string, string>): string =>
  `/login?${new URLSearchParams({ return_to: 'https://shop.example.com/callback', state: 's', ...more })}`

/** The pages that are not in any other area. */
const visitorPages: ListedPage[] = [
  ...entryPages,
  ...accessPages,
  { name: 'home', path: '/' },
  { name: 'docs', path: '/docs', act: openOperation },
  { name: 'verify', path: `/auth/token/verify?token=${'a'.repeat(43)}` },
  { name: 'verify-elsewhere', path: registeredElsewhere },
  { name: 'verify-refused', path: `/auth/token/verify?token=${'a'.repeat(43)}`, act: pressButton },
  { name: 'email-change', path: async ({ app }) => `/auth/email-change/verify?token=${(await change(app)).fresh}` },
  {
    name: 'email-change-cancel',
    path: async ({ app }) => `/auth/email-change/cancel?token=${(await change(app)).cancel}`,
  },
  { name: 'data-download', path: `/auth/privacy/exports/download?token=${'a'.repeat(43)}` },
  { name: 'inbox', path: '/dev/inbox' },
  { name: 'inbox-empty', path: '/dev/inbox?to=nobody%40example.com' },
  { name: 'not-found', path: '/no/such/page' },
]

/** The sign-in and sign-out pages. */
const signInPages: ListedPage[] = [
  { name: 'login', path: '/login' },
  { name: 'login-refused', path: '/login', act: signInWrongly },
  { name: 'login-verified', path: '/login?verification=success' },
  { name: 'login-provider-error', path: '/login?social_login=error&error=access_denied' },
  {
    name: 'login-of-application',
    path: async (world) => `/login?return_to=${encodeURIComponent((await withBrandedApplication(world)).address)}`,
    leadsTo: '/login',
  },
  { name: 'login-application', path: forApplication({}) },
  { name: 'confirm-application', path: forApplication({ prompt: 'login' }), as: 'ada', leadsTo: '/account/confirm' },
  { name: 'return-refused', path: '/login?return_to=https%3A%2F%2Fevil.example.com%2F' },
  { name: 'login-mail', path: '/login/mail' },
  { name: 'login-code', path: '/login/mail', act: askForMail },
  { name: 'login-link', path: async (world) => `/login?token=${(await asked(world.app, world.ada.email)).token}` },
  { name: 'second-step', path: '/login/verify', as: 'partial' },
  { name: 'second-step-recovery', path: '/login/verify?method=recovery', as: 'partial' },
  { name: 'passkey-offer', path: '/login/passkey', as: 'somebody' },
  { name: 'logout', path: '/logout', as: 'ada' },
  { name: 'signed-out', path: '/login?logout=success' },
]

/** A group of pages with their own tests and browser tabs. The areas of a test file share a service. */
export interface PageArea {
  pages: ListedPage[]
  /** Whether a path is in the area. */
  owns(path: string): boolean
}

const isBelow = (path: string, ...roots: string[]): boolean =>
  roots.some((root) => path === root || path.startsWith(`${root}/`))

const signInRoots = ['/login', '/logout']
const moduleRoots = [
  ...['/account/security', '/account/linked', '/account/privacy', '/account/onboarding', '/account/keys'],
  '/account/applications',
]
const oauthRoots = ['/admin/oauth']
const blogRoots = ['/blog', '/admin/content', '/admin/post-types']

/** All pages, in each state that looks different. A page that is not listed makes its area's test fail. */
export const pageAreas: Record<'site' | 'console', Record<string, PageArea>> = {
  site: {
    visitor: {
      pages: visitorPages,
      owns: (path) => !isBelow(path, ...signInRoots, '/account', '/admin', ...blogRoots),
    },
    signIn: { pages: signInPages, owns: (path) => isBelow(path, ...signInRoots) },
    account: {
      pages: accountPages,
      owns: (path) => isBelow(path, '/account') && !isBelow(path, ...moduleRoots),
    },
    accountModules: {
      pages: [...securityPages, ...ownDataPages, ...applicationPages],
      owns: (path) => isBelow(path, ...moduleRoots),
    },
    blog: { pages: blogPages, owns: (path) => isBelow(path, ...blogRoots) },
  },
  console: {
    oauth: { pages: oauthPages, owns: (path) => isBelow(path, ...oauthRoots) },
    admin: {
      pages: adminPages,
      owns: (path) => isBelow(path, '/admin') && !isBelow(path, ...blogRoots, ...oauthRoots),
    },
  },
}

const change = async (app: World['app']) => startedChange(app, await registered(app))

async function openOperation(page: Page): Promise<void> {
  await page.click('details.operation summary')
}

async function signInWrongly(page: Page): Promise<void> {
  await page.fill('#identifier', 'ada@example.com')
  await page.fill('#password', 'not the password')
  await page.press('#password', 'Enter')
  await page.waitForSelector('[role=alert]')
}

async function askForMail(page: Page): Promise<void> {
  await page.fill('#email', 'somebody@example.com')
  await page.press('#email', 'Enter')
  await page.waitForSelector('#code')
}

async function pressButton(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.click('main form button')])
}

/** The verification link of an account that another browser has created. */
async function registeredElsewhere({ app }: World): Promise<string> {
  const { email } = await registered(app)
  return `/auth/token/verify?token=${/token=([\w-]{43})/.exec((await app.mailTo(email)).text)?.[1]}`
}
