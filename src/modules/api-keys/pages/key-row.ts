import { day } from '../../../lib/time.ts'
import { ago, onDay } from '../../../ui/account/when.ts'
import type { RolesInWords } from '../../../ui/console/roles.ts'
import { fill, type PageLanguage } from '../../../ui/texts/index.ts'
import type { ShownKey } from '../shapes.ts'
import { type ScopeTerms, scopeList } from './scope-words.ts'
import { type KeyTexts, keyTextsFor } from './texts.ts'

interface RowContext {
  now: number
  timeZone: string | null
  roles: RolesInWords
  declared?: ScopeTerms['declared']
}

/** A key in a list. */
export function keyRow(
  { id, name, hint, status, ends_at, ended_at, last_used_at, last_used_ip, scopes }: ShownKey,
  lang: PageLanguage,
  { now, timeZone, roles, declared }: RowContext,
) {
  const texts = keyTextsFor(lang)
  const at = (time: string) => onDay(lang, time, timeZone)
  const end = ends_at === null ? texts.endless : fill(texts.ends, { time: at(ends_at) })
  return {
    ...{ id, name, hint, address: last_used_ip },
    status: texts.status[status],
    tone: status === 'active' ? 'good' : status === 'rotated' ? 'warn' : 'bad',
    isLive: status !== 'ended',
    mayRotate: status === 'active',
    scopes: scopeList(lang, scopes, { roles, declared }),
    end: ended_at === null ? end : fill(texts.ended, { time: at(ended_at) }),
    used: last_used_at === null ? texts.neverUsed : fill(texts.used, { time: ago(lang, last_used_at, now) }),
    rotateLabel: fill(texts.rotateOf, { name }),
    revokeLabel: fill(texts.revokeOf, { name }),
  }
}

const lifetimes = [7, 30, 90, 365]

/** `max` is the longest lifetime, in milliseconds. */
export const lifetimeChoices = ({ days: text }: KeyTexts, max: number) =>
  lifetimes.filter((days) => days * day <= max).map((days) => ({ value: String(days), label: fill(text, { days }) }))
