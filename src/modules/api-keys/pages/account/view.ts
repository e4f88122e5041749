import { day } from '../../../../lib/time.ts'
import { type AccountArea, accountText, renderAccountLayout } from '../../../../ui/account/layout.ts'
import { ago, onDay } from '../../../../ui/account/when.ts'
import { permissionWords, type RolesInWords } from '../../../../ui/console/roles.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { formProblems } from '../../../../ui/shared/form-problems.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import type { ListKeysRoute } from '../../own-schemas.ts'
import { type KeyTexts, keyTextsFor } from '../texts.ts'
import { keyActionPath, keysPath, scopeField } from './schemas.ts'

type Listed = ResponseOf<typeof ListKeysRoute>['data']

export interface KeysPage extends Listed {
  area: AccountArea
  roles: RolesInWords
  forms: { create: string; act: string }
  /** The longest lifetime, in milliseconds. */
  maxLifetime: number
  now: number
  timeZone: string | null
  /** A new key, which is shown once. */
  secret?: string | undefined
  typed?: Readonly<Record<string, string | undefined>>
  rejection?: ApiRejection | undefined
  done?: string | undefined
}

const lifetimes = [7, 30, 90, 365]

export function keysPage({ area, forms, typed = {}, ...data }: KeysPage, page: PageContext): string {
  const texts = keyTextsFor(page.lang)
  const form = { fields: ['name', 'scopes', 'ip_ranges', 'ends_at'], rejections: texts.rejections }
  const problems = formProblems(page.lang, data.rejection, form)
  const rowsOf = (isEnded: boolean) =>
    data.keys.filter(({ status }) => (status === 'ended') === isEnded).map((key) => rowOf(key, texts, page, data))
  return renderAccountLayout(
    area,
    {
      template: new URL('./keys.eta', import.meta.url),
      title: texts.title,
      done: accountText(texts.done, data.done),
      data: {
        texts,
        forms,
        typed,
        problem: problems.top,
        problems: problems.fields,
        paths: { create: keysPath, act: keyActionPath },
        secret: data.secret,
        rows: [...rowsOf(false), ...rowsOf(true)],
        scopes: data.scopes.map((scope) => ({
          option: scopeWords(page.lang, scope, data.roles),
          name: scopeField(scope),
          isOn: typed[scopeField(scope)] !== undefined,
        })),
        lifetimes: lifetimes
          .filter((days) => days * day <= data.maxLifetime)
          .map((days) => ({ value: String(days), label: fill(texts.days, { days }) })),
      },
    },
    page,
  )
}

/** A scope for which there are no words is shown as it is. */
function scopeWords(lang: string, scope: string, roles: RolesInWords): string {
  const { scopeWords: own } = keyTextsFor(lang)
  if (Object.hasOwn(own, scope)) return own[scope as keyof KeyTexts['scopeWords']]
  const permission = scope.replace(/^wardenry:/, '')
  return permissionWords(lang, permission, roles).replace(/^./u, (letter) => letter.toUpperCase())
}

function rowOf(
  { id, name, hint, status, ends_at, ended_at, last_used_at, last_used_ip, scopes }: Listed['keys'][number],
  texts: KeyTexts,
  { lang }: PageContext,
  { now, timeZone, roles }: Pick<KeysPage, 'now' | 'timeZone' | 'roles'>,
) {
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
