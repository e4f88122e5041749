import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../../ui/console/texts/index.ts'
import type { Field } from '../../../../../ui/fields/field.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import { formProblems } from '../../../../../ui/shared/form-problems.ts'
import { problemText } from '../../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import type { PageLanguage } from '../../../../../ui/texts/index.ts'
import type { ShownKey } from '../../../shapes.ts'
import { keyRow, lifetimeChoices } from '../../key-row.ts'
import { type ScopeTerms, scopeField, scopeList, scopeOptions, type Typed } from '../../scope-words.ts'
import { type KeyTexts, keyTextsFor } from '../../texts.ts'
import { accountFields } from '../account-fields.ts'
import { accountFacts, accountState } from '../list/view.ts'
import {
  accountKeysPath,
  accountsPath,
  actPath,
  deleteAccountPath,
  editAccountPath,
  type ShownServiceAccount,
} from '../paths.ts'

export interface AccountPage {
  area: AdminArea
  account: ShownServiceAccount
  keys: readonly ShownKey[]
  /** The scopes that the viewer may give. */
  scopes: readonly string[]
  declared?: ScopeTerms['declared']
  /** Whether the viewer may change service accounts. */
  mayChange: boolean
  forms: { edit: string; keys: string; act: string }
  /** The longest lifetime of a key, in milliseconds. */
  maxLifetime: number
  now: number
  timeZone: string | null
  /** A new key, which is shown once. */
  secret?: string | undefined
  done?: string | undefined
  /** The form that the API rejected, with its values. */
  rejected?: { form: 'edit' | 'keys' | 'act'; typed: Typed; rejection: ApiRejection } | undefined
}

export function accountPage(data: AccountPage, page: PageContext): string {
  const { area, account, keys, mayChange, forms, rejected } = data
  const { lang } = page
  const texts = keyTextsFor(lang)
  const { accounts } = texts
  const edit = editForm(data, lang)
  const create = keyForm(data, lang)
  const own = { ...adminTextsFor(lang).rejections, ...texts.rejections, ...accounts.rejections }
  const acted = rejected?.form === 'act' ? problemText(lang, rejected.rejection, own) : undefined
  const rows = keys.map((key) => keyRow(key, lang, { ...data, roles: area.roles }))
  return renderAdminLayout(
    area,
    {
      template: new URL('./account.eta', import.meta.url),
      title: account.name,
      lead: account.description || undefined,
      parent: { path: accountsPath, label: accounts.title },
      done: doneText(texts, data.done),
      problem: edit.top ?? create.top ?? acted,
      data: {
        ...{ texts, forms, mayChange, secret: data.secret },
        ...accountState(lang, account),
        facts: [
          { name: accounts.owners, value: account.owners.map(({ email }) => email).join(', ') || accounts.noOwners },
          {
            name: accounts.scopes,
            value: scopeList(lang, account.scopes, { roles: area.roles, declared: data.declared }),
          },
        ],
        more: accountFacts(lang, account, data),
        isEnabled: account.enabled,
        rows: [...rows.filter(({ isLive }) => isLive), ...rows.filter(({ isLive }) => !isLive)],
        editFields: mayEdit(data) ? edit.fields : [],
        keyFields: create.fields,
        isEditing: rejected?.form === 'edit',
        paths: {
          ...{ edit: editAccountPath(account.id), keys: accountKeysPath(account.id), act: actPath(account.id) },
          delete: deleteAccountPath(account.id),
        },
      },
    },
    page,
  )
}

/** Without the right to give all scopes of the account, it can only be disabled or deleted. */
const mayEdit = ({ mayChange, account, scopes }: AccountPage): boolean =>
  mayChange && account.scopes.every((scope) => scopes.includes(scope))

function editForm({ account, area, scopes, declared, rejected }: AccountPage, lang: PageLanguage) {
  const sent = rejected?.form === 'edit' ? rejected : undefined
  const stored: Typed = {
    name: account.name,
    description: account.description,
    owners: account.owners.map(({ email }) => email).join('\n'),
    ends_on: account.ends_at?.slice(0, 10),
    ...Object.fromEntries(account.scopes.map((scope) => [scopeField(scope), 'on'])),
  }
  const { top, fields } = accountFields(lang, {
    ...{ scopes, terms: { roles: area.roles, declared }, typed: sent?.typed ?? stored, rejection: sent?.rejection },
  })
  // The form for keys has fields of the same names.
  return { top, fields: fields.map((field) => ({ ...field, id: `account-${field.name}` })) }
}

function keyForm({ account, area, scopes, declared, rejected, maxLifetime }: AccountPage, lang: PageLanguage) {
  const texts = keyTextsFor(lang)
  const sent = rejected?.form === 'keys' ? rejected : undefined
  const typed: Typed = sent?.typed ?? {}
  const names = ['name', 'scopes', 'days', 'ip_ranges']
  const details = sent?.rejection.details?.map((one) => ({
    ...one,
    field: one.field === 'ends_at' ? 'days' : one.field,
  }))
  const rejection = sent && { ...sent.rejection, ...(details && { details }) }
  const rejections = { ...adminTextsFor(lang).rejections, ...texts.rejections, days: texts.rejections.ends_at }
  const { top, fields: problems } = formProblems(lang, rejection, { fields: names, rejections })
  const offered = account.scopes.filter((scope) => scopes.includes(scope))
  const isOn = (scope: string) => (sent ? typed[scopeField(scope)] !== undefined : offered.length === 1)
  const fields: Field[] = [
    {
      ...{ name: 'name', label: texts.name, hint: texts.nameHint, required: true, maxlength: 80 },
      ...{ autocomplete: 'off', value: typed.name },
    },
    {
      ...{ name: 'scopes', kind: 'checkboxes', label: texts.scopes },
      options: scopeOptions(lang, offered, { roles: area.roles, declared, isOn }),
    },
    {
      ...{ name: 'days', kind: 'select', label: texts.lifetime, value: typed.days ?? '30' },
      choices: lifetimeChoices(texts, maxLifetime),
    },
    {
      ...{ name: 'ip_ranges', kind: 'textarea', label: texts.ranges, note: texts.optional, rows: 2, maxlength: 1100 },
      ...{ hint: texts.rangesHint, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' },
      value: typed.ip_ranges,
    },
  ]
  return { top, fields: offered.length === 0 ? [] : fields.map((one) => ({ ...one, problem: problems[one.name] })) }
}

const doneText = ({ accounts: { done: texts } }: KeyTexts, done: string | undefined): string | undefined =>
  done !== undefined && Object.hasOwn(texts, done) ? texts[done as keyof typeof texts] : undefined
