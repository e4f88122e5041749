import { day } from '../../../lib/time.ts'
import { ago, onDay } from '../../../ui/account/when.ts'
import { permissionWords, type RolesInWords } from '../../../ui/console/roles.ts'
import { fill, type PageLanguage } from '../../../ui/texts/index.ts'
import type { ShownKey } from '../shapes.ts'
import { type KeyTexts, keyTextsFor } from './texts.ts'

interface RowContext {
  now: number
  timeZone: string | null
  roles: RolesInWords
}

/** A key in a list. */
export function keyRow(
  { id, name, hint, status, ends_at, ended_at, last_used_at, last_used_ip, scopes }: ShownKey,
  lang: PageLanguage,
  { now, timeZone, roles }: RowContext,
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
    scopes: scopes.map((scope) => scopeWords(lang, scope, roles)).join(', '),
    end: ended_at === null ? end : fill(texts.ended, { time: at(ended_at) }),
    used: last_used_at === null ? texts.neverUsed : fill(texts.used, { time: ago(lang, last_used_at, now) }),
    rotateLabel: fill(texts.rotateOf, { name }),
    revokeLabel: fill(texts.revokeOf, { name }),
  }
}

/** A scope for which there are no words is shown as it is. */
export function scopeWords(lang: string, scope: string, roles: RolesInWords): string {
  const { scopeWords: own } = keyTextsFor(lang)
  if (Object.hasOwn(own, scope)) return own[scope as keyof KeyTexts['scopeWords']]
  if (!scope.startsWith('wardenry:')) return scope
  const words = permissionWords(lang, scope.replace(/^wardenry:/, ''), roles)
  return words.replace(/^./u, (letter) => letter.toUpperCase())
}

/** The name of the checkbox for a scope. */
export const scopeField = (scope: string): string => `scope_${scope}`

export type Typed = Readonly<Record<string, string | undefined>>

export const scopesOf = (typed: Typed): string[] =>
  Object.keys(typed).flatMap((name) => (name.startsWith('scope_') ? [name.slice('scope_'.length)] : []))

/** A checkbox for each scope. */
export const scopeOptions = (
  lang: string,
  scopes: readonly string[],
  { roles, isOn }: { roles: RolesInWords; isOn(scope: string): boolean },
) => scopes.map((scope) => ({ option: scopeWords(lang, scope, roles), name: scopeField(scope), isOn: isOn(scope) }))

const lifetimes = [7, 30, 90, 365]

/** `max` is the longest lifetime, in milliseconds. */
export const lifetimeChoices = ({ days: text }: KeyTexts, max: number) =>
  lifetimes.filter((days) => days * day <= max).map((days) => ({ value: String(days), label: fill(text, { days }) }))
