import { keysPage } from '../../../src/modules/api-keys/pages/account/view.ts'
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
  return {
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
