import { scheduleDeletionPage } from '../../../src/modules/privacy/pages/delete/view.ts'
import { historyPage, type PrivacyDecision } from '../../../src/modules/privacy/pages/history/view.ts'
import { type PrivacyChoices, privacyPage } from '../../../src/modules/privacy/pages/overview/view.ts'
import { requestsPage } from '../../../src/modules/privacy/pages/requests/view.ts'
import type { PageSamples } from '../../screens/account-pages.ts'

const time = '2026-01-31T12:00:00.000Z'

export const pageSamples: PageSamples = (text, area, page) => {
  const choices: PrivacyChoices = {
    privacy_region: 'eu',
    gdpr_consent: true,
    gdpr_consent_at: time,
    gdpr_consent_version: text,
    ccpa_opt_out: true,
    ccpa_opt_out_at: time,
    ccpa_applies: true,
  }
  const forms = { region: text, consent: text, sale: text, download: text, mail: text, cancel: text }
  const decision: PrivacyDecision = {
    id: text,
    old_value: null,
    event: 'gdpr_consent_given',
    new_value: text,
    version: text,
    source: 'self',
    created_at: time,
  }
  const request = {
    id: text,
    kind: 'deletion' as const,
    status: 'pending' as const,
    user_id: 'id',
    email: text,
    reason: text,
    requested_at: time,
    due_at: time,
    cancelled_at: null,
  }
  const requests = {
    area: {
      path: '/admin/privacy',
      entries: [],
      logoutForm: text,
      roles: { added: [], ofModules: () => ({}) },
      userId: text,
    },
    pagination: { page: 2, limit: 2, total: 6, pages: 3 },
    forms: { cancel: text, export: text },
    timeZone: null,
    now: Date.parse(time),
    outcome: {},
  }
  const deletion = { area, email: text, timeZone: null, forms: { now: text, later: text, cancel: text } }
  return {
    deletePending: scheduleDeletionPage({ ...deletion, deletionAt: time }, page),
    privacyRequests: requestsPage(
      { ...requests, state: 'open', requests: [request, { ...request, kind: 'export', status: 'ready' }] },
      page,
    ),
    noPrivacyRequests: requestsPage(
      { ...requests, state: 'closed', requests: [], outcome: { problem: 'NOT_FOUND' } },
      page,
    ),
    privacy: privacyPage({ area, choices, version: `new${text}`, deletionAt: time, timeZone: null, forms }, page),
    plainPrivacy: privacyPage({ area, version: undefined, timeZone: null, forms, problem: 'RATE_LIMITED' }, page),
    privacyHistory: historyPage({ area, decisions: [decision], number: 2, hasMore: true, timeZone: null }, page),
    deleteAccount: scheduleDeletionPage({ ...deletion, grace: 86_400_000, problem: 'NOT_THE_ADDRESS' }, page),
  }
}
