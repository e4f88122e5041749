import type { NoticeKey } from '../messages/notice/view.ts'

export function noticeKeyFromQuery(query: {
  verification?: string
  token_login?: string
  email_change?: string
  social_login?: string
  logout?: string
  reset?: string
  error?: string
}): NoticeKey | undefined {
  if (query.social_login === 'linked') return 'identity_added'
  if (query.social_login === 'error') return socialErrors.get(query.error ?? '') ?? 'provider_error'
  if (query.token_login === 'success' || query.social_login === 'success') return 'signed_in'
  if (query.verification === 'success') return 'verified'
  if (query.logout === 'success') return 'signed_out'
  if (query.reset === 'success') return 'password_set'
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
  ['account_blocked', 'account_blocked'],
  ['registration_disabled', 'registration_disabled'],
  ['registration_refused', 'registration_refused'],
  ['email_required', 'email_required'],
  ['rate_limited', 'too_many_attempts'],
])
