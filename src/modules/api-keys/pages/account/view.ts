import { type AccountArea, accountText, renderAccountLayout } from '../../../../ui/account/layout.ts'
import type { RolesInWords } from '../../../../ui/console/roles.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { formProblems } from '../../../../ui/shared/form-problems.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import type { ListKeysRoute } from '../../own-schemas.ts'
import { keyRow, lifetimeChoices } from '../key-row.ts'
import { scopeField, scopeOptions } from '../scope-words.ts'
import { keyTextsFor } from '../texts.ts'
import { keyActionPath, keysPath } from './schemas.ts'

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

export function keysPage({ area, forms, typed = {}, ...data }: KeysPage, page: PageContext): string {
  const texts = keyTextsFor(page.lang)
  const form = { fields: ['name', 'scopes', 'ip_ranges', 'ends_at'], rejections: texts.rejections }
  const problems = formProblems(page.lang, data.rejection, form)
  const rowsOf = (isEnded: boolean) =>
    data.keys.filter(({ status }) => (status === 'ended') === isEnded).map((key) => keyRow(key, page.lang, data))
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
        scopes: scopeOptions(page.lang, data.scopes, {
          roles: data.roles,
          isOn: (scope) => typed[scopeField(scope)] !== undefined,
        }),
        lifetimes: lifetimeChoices(texts, data.maxLifetime),
      },
    },
    page,
  )
}
