import { AuditRoute } from '../../../../audit/schemas.ts'
import { minute } from '../../../../lib/time.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { settingWords, valueWords } from '../setting-words.ts'
import { type ListedSetting, settingAnchor } from '../settings.ts'
import { hasField, storedText } from './changes.ts'

/** The stored values before and after a change. Null means that the default applies. */
export type LastChange = Readonly<Record<string, { from: string | null; to: string | null }>>

const maxAgeMs = 10 * minute

/**
 * Returns the change that the visitor has just made, with the values from the audit trail. The page's URL contains only
 * the names of the settings, because a link on another site could contain any values.
 */
export async function findLastChange(
  member: AdminVisit,
  now: number,
  settings: readonly ListedSetting[],
  changed: string,
): Promise<LastChange | undefined> {
  const query = new URLSearchParams({ event: 'settings_changed', actor_id: member.profile.user.id, limit: '1' })
  const { events } = await member.read(call(AuditRoute, { query }))
  const [event] = events
  const changes = (event?.details.changes ?? {}) as LastChange
  const isRecent = event !== undefined && now - Date.parse(event.time) < maxAgeMs
  const isCurrent = Object.entries(changes).every(([name, { to }]) =>
    settings.some((one) => one.name === name && (one.picture || storedText(one) === (to ?? ''))),
  )
  const isNamed = Object.keys(changes).sort().join() === changed.split(',').sort().join()
  return isRecent && isCurrent && isNamed ? changes : undefined
}

export function lastChangeData(lang: PageContext['lang'], settings: readonly ListedSetting[], last: LastChange) {
  const { settings: texts } = adminTextsFor(lang)
  const found = settings.flatMap((setting) => {
    const change = Object.hasOwn(last, setting.name) ? last[setting.name] : undefined
    return change ? [{ setting, ...change }] : []
  })
  const words = (setting: ListedSetting, value: string | null) =>
    value === null
      ? fill(texts.isDefault, { value: valueWords(lang, setting, setting.default) })
      : valueWords(lang, setting, value)
  return {
    isPossible: found.every(({ setting }) => hasField(setting)),
    changes: found.map(({ setting, from, to }) => ({
      name: setting.name,
      anchor: settingAnchor(setting.name),
      ...settingWords(lang, setting.name, setting.meaning),
      before: from ?? '',
      text: fill(texts.changedFrom, { from: words(setting, from), to: words(setting, to) }),
    })),
  }
}
