import { goOnPage, linkedPage } from '../../src/pages/account/linked/view.ts'
import { deletePage } from '../../src/pages/account/privacy/delete/view.ts'
import { type Decision, historyPage } from '../../src/pages/account/privacy/history/view.ts'
import { type Choices, privacyPage } from '../../src/pages/account/privacy/overview/view.ts'
import type { Area } from '../../src/pages/account/shared/area.ts'
import type { PageContext } from '../../src/pages/shared/render.ts'

const time = '2026-01-31T12:00:00.000Z'

/** The pages for linked accounts and privacy, with the same value wherever they take text from outside. */
export function ownDataPages(text: string, area: Area, page: PageContext): Record<string, string> {
  const account = { provider: text, email: text, name: text, linked_at: time, last_used_at: time }
  const linked = { area, timeZone: null, forms: { add: text, remove: text } }
  const choices: Choices = {
    privacy_region: 'eu',
    gdpr_consent: true,
    gdpr_consent_at: time,
    gdpr_consent_version: text,
    ccpa_opt_out: true,
    ccpa_opt_out_at: time,
  }
  const forms = { region: text, consent: text, sale: text, download: text, mail: text, cancel: text }
  const decision: Decision = {
    event: 'gdpr_consent_given',
    new_value: text,
    version: text,
    source: 'self',
    created_at: time,
  }
  return {
    linked: linkedPage(
      { ...linked, accounts: [account], providers: [{ name: 'google', title: 'Google' }], problem: 'account_exists' },
      page,
    ),
    goOn: goOnPage({ area, title: text, url: '/there' }, page),
    privacy: privacyPage({ area, choices, version: `new${text}`, deletionAt: time, timeZone: null, forms }, page),
    plainPrivacy: privacyPage({ area, version: undefined, timeZone: null, forms, problem: 'RATE_LIMITED' }, page),
    privacyHistory: historyPage({ area, decisions: [decision], number: 2, hasMore: true, timeZone: null }, page),
    deleteAccount: deletePage(
      { area, email: text, grace: 86_400_000, forms: { now: text, later: text }, problem: 'NOT_THE_ADDRESS' },
      page,
    ),
  }
}
