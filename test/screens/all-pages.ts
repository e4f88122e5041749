import { forgotPage, forgotSentPage } from '../../src/screens/password-reset/forgot/view.ts'
import { resetPage } from '../../src/screens/password-reset/reset/view.ts'
import { registerPage } from '../../src/screens/registration/register/view.ts'
import { verifyEmailPage } from '../../src/screens/registration/verify-email/view.ts'
import { addressPage, codePage, passkeyPage } from '../../src/screens/registration/with-passkey/view.ts'
import { loginByMailPage, loginCodePage } from '../../src/screens/sign-in/by-mail/view.ts'
import { loginPage } from '../../src/screens/sign-in/login/view.ts'
import { newCodesPage } from '../../src/screens/sign-in/new-codes/view.ts'
import { passkeyOfferPage } from '../../src/screens/sign-in/passkey-offer/view.ts'
import { recoverAddressPage, recoverCodesPage, recoverPasskeyPage } from '../../src/screens/sign-in/recover/view.ts'
import { logoutPage } from '../../src/screens/sign-out/view.ts'
import { devInboxPage } from '../../src/screens/start/dev-inbox/view.ts'
import { docsPage } from '../../src/screens/start/docs/view.ts'
import { homePage } from '../../src/screens/start/home/view.ts'
import { setupPage } from '../../src/screens/start/setup/view.ts'
import { confirmLinkPage } from '../../src/ui/messages/confirm/view.ts'
import { errorPage } from '../../src/ui/messages/error/view.ts'
import { noticePage } from '../../src/ui/messages/notice/view.ts'
import type { PageContext } from '../../src/ui/shared/render.ts'
import { themeOf } from '../../src/ui/shared/theme.ts'
import type { PageLanguage } from '../../src/ui/texts/index.ts'
import { accountPages } from './account-pages.ts'
import { adminPages } from './admin-pages.ts'

export const nonce = 'bm9uY2UtZm9yLXRlc3Rz'

const theme = themeOf({
  APP_ACCENT: undefined,
  APP_LOGO: undefined,
  APP_TERMS_URL: undefined,
  APP_PRIVACY_URL: undefined,
})

export const contextFor = (lang: PageLanguage, appName = 'Wardenry'): PageContext => ({
  appName,
  lang,
  nonce,
  publicUrl: 'https://id.example.com',
  theme,
})

/** All pages, with `text` in place of all external input. */
export function allPages(lang: PageLanguage, text: string): Record<string, string> {
  const page = {
    ...contextFor(lang, text),
    application: text,
    cancelForm: text,
    stopForm: text,
    languageForm: { formToken: text, back: `/${text}` },
  }
  const message = { to: text, subject: text, text, html: text, created_at: '2026-01-31T12:00:00.000Z' }
  const ways = {
    passkey: { autofill: true },
    byMail: true,
    password: true,
    registerPath: '/register',
    providers: [
      { name: 'google', title: 'Google' },
      { name: text, title: text },
    ],
  }
  const details = [{ field: 'password', message: text }]
  const rejection = { code: 'WEAK_PASSWORD', details }
  const reset = { formToken: text, minPasswordLength: 8, rejection }
  const login = { formToken: text, ways, next: '/account' }
  return {
    home: homePage(
      {
        development: true,
        hasAdmin: false,
        suggestedModule: text,
        hasPasswords: true,
        registerPath: undefined,
        docs: true,
      },
      page,
    ),
    confirm: confirmLinkPage(
      { purpose: 'verify_email', action: '/auth/token/verify', token: text, formToken: text },
      page,
    ),
    confirmElsewhere: confirmLinkPage(
      {
        ...{ purpose: 'verify_email', action: '/auth/token/verify', token: text, formToken: text },
        registration: { email: text, time: '2026-01-31T09:00:00.000Z', device: text },
      },
      page,
    ),
    signIn: confirmLinkPage({ purpose: 'login_link', action: '/auth/token/login', token: text, formToken: text }, page),
    notice: noticePage({ kind: 'info', title: text, message: text, links: [{ href: '/login', label: text }] }, page),
    register: registerPage(
      { formToken: text, minPasswordLength: 8, hasLastName: true, input: { email: text, name: text, last_name: text } },
      page,
    ),
    registerRefused: registerPage(
      { input: undefined, formToken: text, minPasswordLength: 8, hasLastName: true, rejection },
      page,
    ),
    registerAddress: addressPage({ formToken: text, email: text, other: '/register?with=password', rejection }, page),
    registerCode: codePage({ formToken: text, email: text, codeLifetime: 600_000, problem: 'INVALID_CODE' }, page),
    registerPasskey: passkeyPage(
      {
        formToken: text,
        options: { user: { name: text } },
        code: text,
        hasLastName: true,
        other: '/login/mail',
        input: { name: text, last_name: text },
        rejection,
      },
      page,
    ),
    recover: recoverAddressPage({ formToken: text, byMail: true, email: text, rejection }, page),
    recoverCodes: recoverCodesPage(
      { formToken: text, email: text, codeLifetime: 600_000, rejection: { code: 'INVALID_CODE' } },
      page,
    ),
    recoverPasskey: recoverPasskeyPage(
      {
        formToken: text,
        logoutForm: text,
        listed: {
          success: true,
          recovery: true,
          can_add: true,
          email: text,
          passkeys: [{ ...lostPasskey, id: text, name: text }],
        },
        rejection,
      },
      page,
    ),
    newCodes: newCodesPage({ codes: [text], email: text, next: '/account', suggestsSecond: true }, page),
    passkeyOffer: passkeyOfferPage({ formToken: text, problem: 'REAUTH_REQUIRED' }, page),
    verifyEmail: verifyEmailPage(
      {
        forms: { again: text, code: text },
        address: text,
        codeLifetime: 600_000,
        next: '/account',
        sentAgain: true,
        codeProblem: 'INVALID_CODE',
      },
      page,
    ),
    askForVerification: verifyEmailPage(
      { forms: { again: text, code: text }, address: undefined, codeLifetime: 600_000, next: undefined },
      page,
    ),
    setup: setupPage(
      { formToken: text, hasPassword: true, minPasswordLength: 8, input: { email: text, name: text }, rejection },
      page,
    ),
    forgot: forgotPage({ formToken: text, email: text, problem: 'INVALID_TOKEN' }, page),
    forgotSent: forgotSentPage(
      { formToken: text, address: text, codeLifetime: 600_000, problem: 'INVALID_CODE' },
      page,
    ),
    forgotSentElsewhere: forgotSentPage({ formToken: undefined, codeLifetime: 600_000 }, page),
    reset: resetPage({ ...reset, hasPassword: true }, page),
    resetInvited: resetPage({ ...reset, hasPassword: true, invited: { email: text } }, page),
    resetWithoutPassword: resetPage({ ...reset, hasPassword: false }, page),
    resetInvitedWithoutPassword: resetPage({ ...reset, hasPassword: false, invited: { email: text } }, page),
    inbox: devInboxPage(
      {
        messages: [
          { ...message, id: `mail${text}`, channel: 'mail' },
          { ...message, id: `sms${text}`, channel: 'sms', html: '', subject: '' },
        ],
        to: text,
      },
      page,
    ),
    emptyInbox: devInboxPage({ messages: [], to: text }, page),
    docs: docsPage({ signedInAs: text }, page),
    loginWithSeveralCookies: loginPage({ ...login, hasSeveralCookies: true }, page),
    login: loginPage({ notice: 'verified', ...login, problem: 'INVALID_CREDENTIALS', identifier: text }, page),
    logout: logoutPage({ formToken: text, returnTo: 'https://shop.example.com/', problem: 'RATE_LIMITED' }, page),
    loginByMail: loginByMailPage({ formToken: text, problem: 'VALIDATION_ERROR', email: text }, page),
    loginCode: loginCodePage({ formToken: text, codeLifetime: 600_000, problem: 'INVALID_CODE' }, page),
    ...accountPages(text, page),
    ...adminPages(text, page),
    error: errorPage({ status: 404, requestId: text, home: '/account' }, page),
  }
}

const lostPasskey = {
  created_at: '2026-01-31T12:00:00.000Z',
  last_used_at: null,
  created_via: 'registration',
  synced: false,
  backed_up: false,
  verified: true,
}

export interface Tag {
  name: string
  attributes: Record<string, string>
}

/** A page's opening tags, except those inside scripts and styles. Names are in lowercase and values are quoted. */
export function tagsOf(html: string): Tag[] {
  const markup = html.replace(/(<(script|style)\b[^>]*>)[\s\S]*?<\/\2>/g, '$1')
  return [...markup.matchAll(/<([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/gi)].map((match) => ({
    name: match[1] ?? '',
    attributes: Object.fromEntries(
      [...(match[2] ?? '').matchAll(/([a-z-]+)(?:="([^"]*)")?/gi)].map((one) => [one[1] ?? '', decoded(one[2] ?? '')]),
    ),
  }))
}

/** The content of the page's inline script, or undefined. */
export const scriptOf = (html: string): string | undefined =>
  /<script type="module"[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1]

/** A page's visible text, with entities decoded. */
export const textOf = (html: string): string =>
  decoded(
    html
      .replace(/<(script|style|title)\b[\s\S]*?<\/\1>/g, '')
      .replaceAll('<wbr>', '')
      .replace(/<span class="unbroken">([^<]*)<\/span>/g, '$1')
      .replace(/<[^>]*>/g, '\n'),
  )
    .replace(/\s*\n\s*/g, '\n')
    .trim()

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

export const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
