import type { Config } from '../../../config/load.ts'
import { inFlow } from '../../flow/flow.ts'
import { linkTarget, type PageContext, renderPage } from '../../shared/render.ts'
import { fill, type PageLanguage, type PageTexts, textsFor } from '../../texts/index.ts'

export interface NoticePage {
  kind: 'success' | 'info' | 'error'
  title: string
  message: string
  /** The first link is rendered as a button. */
  links?: { href: string; label: string }[]
  /** Advice for the operator. */
  operator?: { text: string; values: Record<string, string> }
}

export type NoticeKey = keyof PageTexts['notices']

const kinds: Record<NoticeKey, NoticePage['kind']> = {
  verified: 'success',
  already_verified: 'info',
  verified_elsewhere: 'success',
  access_removed: 'success',
  access_removed_without_passwords: 'success',
  nothing_removed: 'error',
  nothing_removed_without_passwords: 'error',
  link_not_valid: 'error',
  passkey_link_not_valid: 'error',
  page_expired: 'error',
  other_person: 'error',
  email_change_pending: 'info',
  email_changed: 'success',
  email_change_cancelled: 'info',
  email_taken: 'error',
  setup_not_available: 'error',
  password_set: 'success',
  signed_out: 'info',
  cookie_removed: 'info',
  signed_in: 'success',
  password_removed: 'info',
  passwords_disabled: 'info',
  confirmed_in_tab: 'success',
  identity_added: 'success',
  access_denied: 'info',
  account_exists: 'error',
  account_blocked: 'error',
  registration_disabled: 'error',
  registration_refused: 'error',
  email_required: 'error',
  provider_error: 'error',
  too_many_attempts: 'error',
  impersonated: 'error',
  use_passkey: 'info',
  other_method: 'info',
  no_method: 'error',
}

export const noticeFor = (key: NoticeKey, lang: PageLanguage): NoticePage => ({
  kind: kinds[key],
  ...textsFor(lang).notices[key],
})

export type NoticeLink = keyof PageTexts['ways']

const addresses: Record<NoticeLink, string> = {
  setPassword: '/account/password',
  signIn: '/login',
  // Within a flow, the sign-in page continues the flow.
  onward: '/login',
  account: '/account',
  verifyEmail: '/verify-email',
  loginByMail: '/login/mail',
  resetPassword: '/forgot',
}

export const noticeWithLink = (key: NoticeKey, way: NoticeLink, lang: PageLanguage): NoticePage => ({
  ...noticeFor(key, lang),
  links: [{ href: addresses[way], label: textsFor(lang).ways[way] }],
})

/** A notice for signed-in users, with a link to continue. */
export const noticeWithNext = (key: NoticeKey, next: string, lang: PageLanguage): NoticePage => ({
  ...noticeFor(key, lang),
  links: [{ href: next, label: textsFor(lang).ways.onward }],
})

/** For the first sign-in that verified the email address. The removed password may have been the user's own. */
export function noticePasswordRemoved(
  next: string,
  lang: PageLanguage,
  { PASSWORDS_ENABLED }: Pick<Config, 'PASSWORDS_ENABLED'>,
): NoticePage {
  const { ways } = textsFor(lang)
  const links = [
    ...(PASSWORDS_ENABLED ? [{ href: addresses.setPassword, label: ways.setPassword }] : []),
    { href: next, label: ways.onward },
  ]
  return { ...noticeFor('password_removed', lang), links }
}

/** For a form that was opened before another person signed in. `name` is the person who is signed in now. */
export function noticeOtherUser(name: string, next: string, lang: PageLanguage): NoticePage {
  const { title, ...notice } = noticeWithNext('other_person', next, lang)
  return { ...notice, title: fill(title, { name }) }
}

export function noticeOtherBrowser(key: NoticeKey, lang: PageLanguage): NoticePage {
  const { kind, title, message } = noticeFor(key, lang)
  return { kind, title, message: `${message} ${textsFor(lang).returning.elsewhere}` }
}

export function registrationClosed(lang: PageLanguage): NoticePage {
  const { register: texts } = textsFor(lang)
  const links = [{ href: '/login', label: texts.signIn }]
  return { kind: 'info', title: texts.closed, message: texts.closedText, links }
}

export function noticePage(data: NoticePage, page: PageContext): string {
  const links = (data.links ?? []).map(({ href, label }) => ({ href: linkTarget(ownInFlow(href, page)), label }))
  const { text, values = {} } = data.operator ?? {}
  // Every second part is a placeholder name, whose value is displayed as code.
  const hints = text
    ?.split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 ? { code: values[part] ?? part, text: '' } : { text: part }))
  return renderPage(
    {
      template: new URL('./notice.eta', import.meta.url),
      title: data.title,
      shape: 'card',
      data: { ...data, links, hints },
    },
    page,
  )
}

/** Adds the flow to all links except account links, because account pages are not part of a flow. */
const ownInFlow = (href: string, { flow }: PageContext): string =>
  href.startsWith('/') && !href.startsWith('/account') && !/[?&]flow=/.test(href) ? inFlow(href, flow) : href
