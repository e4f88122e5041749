import { fileURLToPath } from 'node:url'
import type { ListPasskeysRoute } from '../../../../passkeys/schemas.ts'
import type { FormOutcome } from '../../../../ui/account/account-visit.ts'
import { type AccountArea, accountText, renderAccountLayout } from '../../../../ui/account/layout.ts'
import type { SecurityPart } from '../../../../ui/account/security-part.ts'
import { onDay } from '../../../../ui/account/when.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { AreaData, PageContext, TemplatePath } from '../../../../ui/shared/render.ts'
import { fill, fillPlural, textsFor } from '../../../../ui/texts/index.ts'
import { addPath, codesPath, removePath, renamePath } from '../schemas.ts'

export type PasskeyListEntry = ResponseOf<typeof ListPasskeysRoute>['passkeys'][number]

export interface AccountSecurityPage extends FormOutcome {
  area: AccountArea
  parts: SecurityPart[]
  passkeys: PasskeyListEntry[]
  /** Null if the user has received no recovery codes. */
  codes: ResponseOf<typeof ListPasskeysRoute>['recovery_codes']
  codesForm: string
  canAdd: boolean
  timeZone: string | null
}

export function accountSecurityPage(data: AccountSecurityPage, page: PageContext): string {
  const { account, security: texts } = textsFor(page.lang)
  const { area, parts, passkeys, canAdd } = data
  const outcomes = parts.map((part) => part.outcomes(page.lang))
  const done = Object.assign({}, account.done, texts.done, ...outcomes.map((one) => one.done))
  const rejections = Object.assign({}, texts.rejections, ...outcomes.map((one) => one.rejections))
  const [first] = passkeys
  return renderAccountLayout(
    area,
    {
      template: new URL('./list.eta', import.meta.url),
      title: texts.title,
      scripts: ['passkey-list.js'],
      done: accountText(done, data.done),
      data: {
        texts,
        problem: problemText(page.lang, data.problem, rejections),
        hasPasskeys: canAdd || first !== undefined,
        passkeys: passkeys.map((passkey) => rowOf(passkey, data, page)),
        addPath: canAdd && addPath,
        // If the device with the only passkey is lost, so is the passkey.
        shouldAddAnother: canAdd && passkeys.length === 1 && !first?.backed_up,
        codes: codesSection(data, page),
        parts: parts.map((part) => {
          const { template, data } = part.sections(page.lang)
          return { template: fileURLToPath(template) as TemplatePath<AreaData>, data }
        }),
      },
    },
    page,
  )
}

/** A module's part for second factors shows the codes itself, if there are any. */
function codesSection({ parts, passkeys, codes, codesForm }: AccountSecurityPage, { lang }: PageContext) {
  if (codes === null ? passkeys.length === 0 : parts.length > 0) return undefined
  const { recovery: texts } = textsFor(lang).security
  const left = codes === null ? texts.none : fillPlural(lang, texts.left, codes.remaining)
  const effect = codes === null ? texts.first : texts.replacing
  return { texts, left, effect, path: codesPath, formToken: codesForm }
}

function rowOf(passkey: PasskeyListEntry, { parts, timeZone }: AccountSecurityPage, { lang }: PageContext) {
  const { security: texts } = textsFor(lang)
  const { id, name, created_at, last_used_at, backed_up } = passkey
  const day = (time: string) => onDay(lang, time, timeZone)
  const use = last_used_at ? fill(texts.used, { date: day(last_used_at) }) : texts.neverUsed
  const query = new URLSearchParams({ id })
  const proven = parts.flatMap(({ removalAddress }) => removalAddress ?? [])[0]
  return {
    name,
    place: backed_up ? texts.backedUp : texts.onOneDevice,
    about: `${fill(texts.added, { date: day(created_at) })}, ${use}`,
    rename: { href: `${renamePath}?${query}`, label: fill(texts.renameNamed, { name }) },
    remove: { href: proven?.(id) ?? `${removePath}?${query}`, label: fill(texts.removeNamed, { name }) },
  }
}
