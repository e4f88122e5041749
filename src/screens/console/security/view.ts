import type { LockoutsRoute } from '../../../admin/lockout-schemas.ts'
import { ago, atTime } from '../../../ui/account/when.ts'
import { unlockPath } from '../../../ui/console/entries.ts'
import { type AdminArea, renderAdminLayout } from '../../../ui/console/layout.ts'
import { addressOf } from '../../../ui/console/pager.ts'
import { adminTextsFor } from '../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { formProblems } from '../../../ui/shared/form-problems.ts'
import type { PageContext } from '../../../ui/shared/render.ts'
import { fill } from '../../../ui/texts/index.ts'
import { auditPath } from '../audit/search.ts'
import type { ShownAuditEvent } from '../shared/sentences.ts'
import { figureTables, type SecurityFigures, type ShownSecret } from './figures.ts'

/** Events for rejected requests that may be attacks. Exceeded rate limits have their own table. */
export const watchedEvents = ['bridge_auth_fail', 'bridge_secret_from_browser', 'csrf_rejected'] as const

type WatchedEvent = (typeof watchedEvents)[number]

/** `throttled` are the accounts that accept no more sign-in attempts until `throttled_until`. */
type ShownLocks = ResponseOf<typeof LockoutsRoute>['data']

type Lock = Pick<ShownLocks['lockouts'][number], 'user_id' | 'label' | 'ip'>

export interface SecurityPage {
  area: AdminArea
  mayAct: boolean
  locks: ShownLocks
  secrets: ShownSecret[]
  figures: SecurityFigures
  events: { event: WatchedEvent; found: ShownAuditEvent[] }[]
  form: string
  now: number
  timeZone: string | null
  outcome: { done?: string; rejection?: ApiRejection }
}

export function securityPage(data: SecurityPage, page: PageContext): string {
  const { area, mayAct, form, outcome } = data
  const { lang } = page
  const { security: texts, rejections } = adminTextsFor(lang)
  const done: Readonly<Record<string, string>> = { unlocked: texts.unlocked }
  return renderAdminLayout(
    area,
    {
      template: new URL('./security.eta', import.meta.url),
      title: texts.title,
      lead: texts.lead,
      done: outcome.done !== undefined && Object.hasOwn(done, outcome.done) ? done[outcome.done] : undefined,
      problem: formProblems(lang, outcome.rejection, { fields: [], rejections }).top,
      data: {
        texts,
        mayAct,
        form,
        unlockPath,
        locks: locksOf(data, page),
        tables: figureTables(lang, data.secrets, data.figures, data),
        groups: data.events.filter(({ found }) => found.length > 0).map((group) => groupOf(group, data, page)),
      },
    },
    page,
  )
}

function locksOf(data: SecurityPage, page: PageContext) {
  const { security: texts } = adminTextsFor(page.lang)
  const { lockouts, throttled } = data.locks
  const row = (lock: Lock, text: string, end: string) => lockRow(lock, fill(text, { time: timeOf(end) }), page)
  const timeOf = (end: string) => atTime(page.lang, end, data.timeZone)
  return [
    ...lockouts.map((lock) => row(lock, texts.until, lock.locked_until)),
    ...throttled.map((lock) => row(lock, texts.throttledUntil, lock.throttled_until)),
  ]
}

function lockRow({ user_id, label, ip }: Lock, until: string, page: PageContext) {
  const { security: texts } = adminTextsFor(page.lang)
  const name = label ?? user_id
  return {
    id: user_id,
    name,
    path: `/admin/people/${encodeURIComponent(user_id)}`,
    until,
    ip,
    unlockLabel: fill(texts.unlockOf, { name }),
  }
}

function groupOf({ event, found }: SecurityPage['events'][number], data: SecurityPage, { lang }: PageContext) {
  const { now, timeZone } = data
  return {
    title: adminTextsFor(lang).security.groups[event],
    path: addressOf(auditPath, { event }),
    rows: found.map((one) => ({
      when: ago(lang, one.time, now),
      at: atTime(lang, one.time, timeZone),
      ip: one.ip,
    })),
  }
}
