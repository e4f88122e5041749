import { globSync } from 'node:fs'
import { passkeyProof } from '../../src/screens/account/confirm/passkey-proof.ts'
import { password, reauthenticatePage } from '../../src/screens/account/confirm/view.ts'
import { emailPage } from '../../src/screens/account/email/view.ts'
import { overviewPage } from '../../src/screens/account/overview/view.ts'
import { passwordPage } from '../../src/screens/account/password/view.ts'
import { profilePage } from '../../src/screens/account/profile/view.ts'
import { addPasskeyPage } from '../../src/screens/account/security/add/view.ts'
import { accountSecurityPage, type PasskeyListEntry } from '../../src/screens/account/security/list/view.ts'
import { removePage, renamePage } from '../../src/screens/account/security/passkey/view.ts'
import { sessionsPage } from '../../src/screens/account/sessions/view.ts'
import { codesPage } from '../../src/ui/account/codes/view.ts'
import type { AccountArea } from '../../src/ui/account/layout.ts'
import type { AccountProfile } from '../../src/ui/shared/profile.ts'
import type { PageContext } from '../../src/ui/shared/render.ts'
import { ownDataPages } from './own-data-pages.ts'

/** Renders a module's pages with `text` in place of all external input. */
export type PageSamples = (text: string, area: AccountArea, page: PageContext) => Record<string, string>

const ofModules: { pageSamples: PageSamples }[] = await Promise.all(
  globSync('../modules/*/page-samples.ts', { cwd: import.meta.dirname }).map((file) => import(file)),
)

/** The account pages, with `text` in place of all external input. */
export function accountPages(text: string, page: PageContext): Record<string, string> {
  const at = (path: string): AccountArea => ({
    path,
    entries: [{ path: '/account', label: () => 'Overview', icon: 'home' }],
    logoutForm: text,
    userId: text,
  })
  const { user } = profileOf(text)
  const confirm = {
    email: text,
    forms: { confirm: text, send: text, logout: text },
    proofs: [password],
    next: `/account?x=${text}`,
  }
  const email = {
    area: at('/account/email'),
    forms: { change: text, cancel: text, verify: text },
    hasPasskeys: true,
    user,
  }
  const badAddress = { code: 'VALIDATION_ERROR', details: [{ field: 'new_email', message: '' }] }
  const ownPassword = { area: at('/account/password'), form: text, user, minPasswordLength: 8 }
  return {
    account: overviewPage(
      {
        area: { ...at('/account'), console: { path: '/admin', label: () => text, icon: 'console' } },
        hasPasswords: true,
        hasPasskeys: true,
        profile: profileOf(text),
        portrait: { address: undefined, letter: 'A' },
        parts: [
          {
            notice: () => ({ text, link: { path: '/account/privacy', label: text } }),
            row: () => ({ label: text, value: text, isGood: true, link: { path: '/account/security', label: text } }),
          },
        ],
      },
      page,
    ),
    profile: profilePage(
      {
        area: at('/account/profile'),
        forms: { profile: text, phone: text, picture: text, removePicture: text },
        profile: profileOf(text),
        portrait: { address: '/auth/pictures/a.webp', letter: 'A' },
        pictures: { maxBytes: 10_485_760 },
        phoneSignsIn: true,
        hasPasskeys: true,
        isShown: () => true,
        refused: {
          form: 'profile',
          rejection: { code: 'USER_NAME_TAKEN', details: [{ field: 'user_name', message: '' }] },
        },
      },
      page,
    ),
    email: emailPage({ ...email, change: undefined, refused: { rejection: badAddress, newEmail: text } }, page),
    emailPending: emailPage(
      {
        ...email,
        change: {
          status: 'pending',
          new_email: text,
          confirmed: { current: true, new: false },
          expires_at: '2026-01-31T12:00:00.000Z',
          takes_effect_at: null,
        },
      },
      page,
    ),
    emailByPasskey: emailPage(
      {
        ...email,
        change: {
          status: 'pending',
          new_email: text,
          confirmed: { current: false, new: true },
          expires_at: '2026-01-31T12:00:00.000Z',
          takes_effect_at: '2026-01-31T12:00:00.000Z',
        },
      },
      page,
    ),
    password: passwordPage(
      { ...ownPassword, hasPassword: true, rejection: { code: 'INVALID_CURRENT_PASSWORD' } },
      page,
    ),
    firstPassword: passwordPage({ ...ownPassword, hasPassword: false }, page),
    sessions: sessionsPage(
      { area: at('/account/sessions'), ...sessionsOf(text), hasPasswords: true, problem: 'NOT_FOUND' },
      page,
    ),
    confirmByPassword: reauthenticatePage({ ...confirm, chosen: password, problem: 'INVALID_CURRENT_PASSWORD' }, page),
    ...passkeyPages(text, at('/account/security'), page),
    confirmByOwnPasskey: reauthenticatePage(
      { ...confirm, proofs: [password, passkeyProof], chosen: passkeyProof },
      page,
    ),
    confirmByNothing: reauthenticatePage({ ...confirm, proofs: [], chosen: undefined }, page),
    ...ownDataPages(text, at('/account/privacy'), page),
    ...Object.assign({}, ...ofModules.map(({ pageSamples }) => pageSamples(text, at('/account/privacy'), page))),
  }
}

function passkeyPages(text: string, area: AccountArea, page: PageContext): Record<string, string> {
  const time = '2026-01-31T12:00:00.000Z'
  const passkey: PasskeyListEntry = {
    id: text,
    name: text,
    created_at: time,
    last_used_at: null,
    created_via: 'settings',
    synced: false,
    backed_up: false,
    verified: true,
  }
  const used = { ...passkey, last_used_at: time, backed_up: true }
  const codes = { remaining: 9, created_at: time }
  const list = { area, parts: [], codes, codesForm: text, canAdd: true, timeZone: null }
  const change = { area, form: text, passkey }
  return {
    security: accountSecurityPage({ ...list, passkeys: [passkey, used], done: 'passkey_added' }, page),
    securityOne: accountSecurityPage({ ...list, passkeys: [passkey], codes: null, problem: 'PAGE_EXPIRED' }, page),
    securityNone: accountSecurityPage({ ...list, codes: null, passkeys: [] }, page),
    addPasskey: addPasskeyPage({ area, form: text, name: text, problem: 'NAME' }, page),
    renamePasskey: renamePage({ ...change, name: text, problem: 'VALIDATION_ERROR' }, page),
    removePasskey: removePage({ ...change, problem: 'LAST_SIGN_IN_METHOD' }, page),
    recoveryCodes: codesPage({ area, codes: [text, text], email: text, next: '/account', intro: () => text }, page),
  }
}

const sessionsOf = (text: string) => {
  const time = '2026-01-31T12:00:00.000Z'
  const session = {
    sessionPrefix: text,
    expiresAt: time,
    ipAddress: text,
    userAgent: text,
    userDevice: text,
    lastUsedAt: time,
    createdAt: time,
    status: 'active' as const,
    application: null,
    applicationId: null,
    parentId: null,
    impersonated: false,
  }
  return {
    forms: { end: text, endOthers: text },
    now: Date.parse(time),
    timeZone: null,
    sessions: [
      { ...session, id: '1', current: true },
      { ...session, id: '2', current: false, status: 'pending' as const },
      { ...session, id: '4', current: false, impersonated: true, ipAddress: '' },
      { ...session, id: '3', current: false, application: text, parentId: '1' },
    ],
  }
}

export const profileOf = (text: string): AccountProfile => ({
  user: {
    id: text,
    email: text,
    name: text,
    last_name: text,
    user_name: text,
    user_type: text,
    picture: '',
    is_verified: false,
    two_factor: false,
    lang: '',
    metadata: {},
    first_time: false,
    tmz: null,
    dob: null,
    display_name: text,
    gender: text,
    title: text,
  },
  phone: text,
  lang: null,
  has_password: true,
})
