import { ago, onDay } from '../../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill, fillPlural, type PageLanguage } from '../../../../../ui/texts/index.ts'
import { type ScopeTerms, scopeList } from '../../scope-words.ts'
import { keyTextsFor } from '../../texts.ts'
import { accountPath, newAccountPath, type ShownServiceAccount } from '../paths.ts'

export interface AccountsPage {
  area: AdminArea
  accounts: readonly ShownServiceAccount[]
  declared?: ScopeTerms['declared']
  mayAdd: boolean
  now: number
  timeZone: string | null
  done?: string | undefined
}

export function accountsPage(data: AccountsPage, page: PageContext): string {
  const { area, accounts, declared, mayAdd, done, ...times } = data
  const { accounts: texts } = keyTextsFor(page.lang)
  const add = { path: newAccountPath, label: texts.add }
  return renderAdminLayout(
    area,
    {
      template: new URL('./accounts.eta', import.meta.url),
      title: texts.title,
      lead: texts.lead,
      action: mayAdd ? { ...add, icon: 'add' } : undefined,
      done: done === 'deleted' ? texts.done.deleted : undefined,
      data: {
        rows: accounts.map((account) => ({
          name: account.name,
          path: accountPath(account.id),
          description: account.description,
          ...accountState(page.lang, account),
          owners: account.owners.map(({ email }) => email).join(', ') || texts.noOwners,
          scopes: scopeList(page.lang, account.scopes, { roles: area.roles, declared }),
          facts: accountFacts(page.lang, account, times),
        })),
        empty: { icon: 'key', title: texts.none, text: texts.noneText, action: mayAdd ? add : undefined },
      },
    },
    page,
  )
}

export function accountState(lang: string, { enabled, ended }: ShownServiceAccount) {
  const { states } = keyTextsFor(lang).accounts
  if (!enabled) return { state: states.disabled, chip: 'warn' }
  return ended ? { state: states.ended, chip: 'bad' } : { state: states.enabled, chip: 'good' }
}

/** The number of keys, the end and the last use. */
export function accountFacts(
  lang: PageLanguage,
  { keys, ends_at, ended, last_used_at }: ShownServiceAccount,
  { now, timeZone }: Pick<AccountsPage, 'now' | 'timeZone'>,
): string[] {
  const { accounts, endless, ends, ended: past, used, neverUsed } = keyTextsFor(lang)
  const end = ends_at === null ? endless : fill(ended ? past : ends, { time: onDay(lang, ends_at, timeZone) })
  const use = last_used_at === null ? neverUsed : fill(used, { time: ago(lang, last_used_at, now) })
  return [fillPlural(lang, accounts.keys, keys), end, use]
}
