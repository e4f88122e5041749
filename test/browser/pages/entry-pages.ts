import type { Page } from 'playwright-core'
import { createSetupLink } from '../../../src/admin/setup-link.ts'
import { linkIn } from '../../screens/support.ts'
import { eventually } from '../../support/eventually.ts'
import { person, registered, withSession } from '../../support/people.ts'
import { passwordlessUser, recoveryMails } from '../../support/recovery.ts'
import type { ListedPage } from './list.ts'
import type { World } from './world.ts'

/** The registration, password reset and set-up pages. */
export const entryPages: ListedPage[] = [
  { name: 'register', path: '/register' },
  { name: 'register-password', path: '/register?with=password' },
  { name: 'register-code', path: '/register', act: (page) => askForCode(page) },
  { name: 'register-code-refused', path: '/register', act: (page) => askForCode(page).then(() => mistype(page)) },
  { name: 'register-passkey', path: '/register', act: (page, { app }) => proveAddress(page, app) },
  { name: 'register-passkey-refused', path: '/register', act: createWrongly },
  { name: 'recover', path: '/recover' },
  { name: 'recover-codes', path: '/recover', act: (page) => askForCode(page) },
  // A tab of its own, because the recovery changes the session.
  { name: 'recover-passkey', path: '/recover', as: 'somebody', act: (page, { app }) => enterBothCodes(page, app) },
  { name: 'register-typing', path: '/register?with=password', act: typePassword },
  { name: 'register-refused', path: '/register?with=password', act: (page) => register(page, 'qwertyuiop') },
  { name: 'verify-email', path: '/register?with=password', act: (page) => register(page, person().password) },
  { name: 'verify-email-code-refused', path: '/register?with=password', act: (page) => registerAndMistype(page) },
  { name: 'verify-email-ask', path: '/verify-email' },
  { name: 'forgot', path: '/forgot' },
  { name: 'forgot-sent', path: '/forgot', act: (page) => forget(page) },
  { name: 'forgot-code-refused', path: '/forgot', act: (page) => forget(page).then(() => mistype(page)) },
  { name: 'forgot-sent-elsewhere', path: '/forgot/sent' },
  { name: 'reset', path: resetLink },
  { name: 'reset-invited', path: invitationLink },
  { name: 'reset-spent', path: `/reset-password?token=${'a'.repeat(43)}` },
  { name: 'passkey-link', path: `/passkey-link?token=${'a'.repeat(43)}`, leadsTo: '/passkey-link' },
  { name: 'passkey-link-not-valid', path: '/passkey-link' },
  { name: 'setup', path: async ({ app }) => pathOf((await createSetupLink(app.ctx)) ?? ''), leadsTo: '/setup' },
  { name: 'setup-not-available', path: '/setup' },
]

const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}

async function typePassword(page: Page): Promise<void> {
  await page.fill('#password', 'quiet1lamp')
  await page.click('[data-reveals]')
}

async function register(page: Page, password: string): Promise<void> {
  await page.fill('#email', person().email)
  await page.fill('#password', password)
  await Promise.all([page.waitForEvent('load'), page.press('#password', 'Enter')])
}

async function registerAndMistype(page: Page): Promise<void> {
  await register(page, person().password)
  await mistype(page)
}

async function askForCode(page: Page, email = person().email): Promise<void> {
  await page.fill('#email', email)
  await Promise.all([page.waitForEvent('load'), page.press('#email', 'Enter')])
}

async function proveAddress(page: Page, app: World['app']): Promise<void> {
  const { email } = person()
  await askForCode(page, email)
  const { text } = await app.mailTo(email)
  await page.fill('#code', /^\d{6}$/m.exec(text)?.[0] ?? '')
  await Promise.all([page.waitForEvent('load'), page.press('#code', 'Enter')])
}

/** Without an authenticator, the browser's dialog is cancelled by the page. */
async function createWrongly(page: Page, { app }: World): Promise<void> {
  await proveAddress(page, app)
  await page.evaluate("navigator.credentials.create = () => Promise.reject(new Error('cancelled'))")
  await page.click('#passkey')
  await page.waitForSelector('#problem:not([hidden])')
}

async function enterBothCodes(page: Page, app: World['app']): Promise<void> {
  const user = await passwordlessUser(app)
  await askForCode(page, user.email)
  await eventually(() => recoveryMails(app, user.email).length > 0)
  await page.fill('#code', /^\d{6}$/m.exec(recoveryMails(app, user.email)[0]?.text ?? '')?.[0] ?? '')
  await page.fill('#recovery_code', user.recoveryCodes[0] ?? '')
  await Promise.all([page.waitForEvent('load'), page.press('#recovery_code', 'Enter')])
}

async function mistype(page: Page): Promise<void> {
  await page.fill('#code', '12')
  await Promise.all([page.waitForEvent('load'), page.press('#code', 'Enter')])
}

async function forget(page: Page): Promise<void> {
  await page.fill('#email', person().email)
  await Promise.all([page.waitForEvent('load'), page.press('#email', 'Enter')])
}

async function resetLink({ app }: World): Promise<string> {
  const { email } = await registered(app)
  await app.post('/auth/password-reset/request', { email })
  return linkIn(await app.mailTo(email, 1))
}

async function invitationLink({ app, grace }: World): Promise<string> {
  const { email } = person()
  await app.post('/auth/admin/users', { email, send_invite: true }, withSession(grace.sessionToken))
  return linkIn(await app.mailTo(email))
}
