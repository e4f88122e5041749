import { keysPage } from '../../../src/modules/api-keys/pages/account/view.ts'
import { accountPage } from '../../../src/modules/api-keys/pages/accounts/account/view.ts'
import { deleteServiceAccountPage } from '../../../src/modules/api-keys/pages/accounts/delete/view.ts'
import { accountsPage } from '../../../src/modules/api-keys/pages/accounts/list/view.ts'
import { newAccountPage } from '../../../src/modules/api-keys/pages/accounts/new/view.ts'
import type { PageSamples } from '../../screens/account-pages.ts'

const time = '2026-01-31T12:00:00.000Z'

export const pageSamples: PageSamples = (text, area, page) => {
  const key = {
    ...{ id: text, kind: 'personal' as const, name: text, hint: text, status: 'active' as const },
    ...{ scopes: ['wardenry:profile:read', text], ip_ranges: [text], created_at: time, ends_at: time },
    ...{ ended_at: null, end_reason: null, replaced_by: null, last_used_at: time, last_used_ip: text },
    ...{ uses_last_day: 1, uses_last_month: 1 },
  }
  const ended = { ...key, status: 'ended' as const, ended_at: time, last_used_at: null, last_used_ip: null }
  const data = {
    ...{ area: { ...area, path: '/account/keys' }, roles: { added: [], ofModules: () => ({}) } },
    ...{ forms: { create: text, act: text }, maxLifetime: 1e12, now: Date.parse(time), timeZone: null },
  }
  const account = {
    ...{ id: text, name: text, description: text, owners: [{ id: text, email: text, name: text }] },
    ...{ scopes: ['wardenry:users:read', text], keys: 2, enabled: true, ended: false, ends_at: time },
    ...{ last_used_at: time, created_at: time, updated_at: time },
  }
  const disabled = { ...account, enabled: false, ends_at: null, last_used_at: null, owners: [], description: '' }
  const admin = {
    ...{ path: '/admin/service-accounts', entries: [], logoutForm: text, userId: text },
    roles: { added: [], ofModules: () => ({}) },
  }
  const times = { now: Date.parse(time), timeZone: null }
  const typed = { name: text, description: text, owners: text, ends_on: text, days: text, ip_ranges: text }
  const rejection = { code: 'VALIDATION_ERROR', details: [{ field: 'owners', message: text }] }
  const one = {
    ...{ area: admin, account, keys: [{ ...key, kind: 'service' as const }], scopes: account.scopes, mayChange: true },
    ...{ forms: { edit: text, keys: text, act: text }, maxLifetime: 1e12, ...times },
  }
  return {
    serviceAccounts: accountsPage(
      { area: admin, accounts: [account, disabled, { ...account, ended: true }], mayAdd: true, ...times },
      page,
    ),
    noServiceAccounts: accountsPage({ area: admin, accounts: [], mayAdd: false, ...times, done: 'deleted' }, page),
    newServiceAccount: newAccountPage({ area: admin, form: text, scopes: account.scopes, typed, rejection }, page),
    serviceAccount: accountPage({ ...one, secret: text, done: 'created' }, page),
    serviceAccountRead: accountPage({ ...one, account: disabled, keys: [], mayChange: false }, page),
    serviceAccountEdited: accountPage({ ...one, rejected: { form: 'edit', typed, rejection } }, page),
    serviceAccountKey: accountPage({ ...one, rejected: { form: 'keys', typed, rejection } }, page),
    deleteServiceAccount: deleteServiceAccountPage({ area: admin, account, form: text, rejection }, page),
    apiKeys: keysPage(
      {
        ...{
          ...data,
          keys: [key, { ...key, status: 'rotated' as const }, ended],
          scopes: ['wardenry:profile:read', text],
        },
        ...{ secret: text, typed: { name: text, ip_ranges: text }, rejection: { code: 'NOT_FOUND' } },
      },
      page,
    ),
    noApiKeys: keysPage({ ...data, keys: [], scopes: [] }, page),
  }
}
