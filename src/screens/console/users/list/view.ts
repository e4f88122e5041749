import type { UserFilter } from '../../../../context.ts'
import { onDay } from '../../../../ui/account/when.ts'
import type { AdminVisit, May } from '../../../../ui/console/admin-visit.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { addressOf, type Pagination, pagerOf } from '../../../../ui/console/pager.ts'
import { roleName } from '../../../../ui/console/roles.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../ui/texts/index.ts'
import { bulkActions, bulkActionsFor } from '../bulk/choices.ts'
import { chipsOf, deletionDays, faceOf, fullNameOf, type ListedUser, userPagePath, usersPath } from '../shared.ts'
import { type ChoiceField, choiceFields, dayFields, filterNames, orders, type UsersSearch } from './search-fields.ts'

/** The API stops counting at this number so that searches with many matches are fast. */
export const countLimit = 10_000

export interface UsersPage {
  area: AdminArea
  can: AdminVisit['can']
  may: May
  /** Undefined if a filter is invalid. */
  found: { users: ListedUser[]; pagination: Pagination } | undefined
  search: UsersSearch
  filters: readonly UserFilter[]
  known: { roles: readonly string[]; applicationRoles: readonly string[]; providers: readonly string[] }
  form: string
  /** The period during which a deleted user can be restored, in milliseconds. */
  deletedRetention: number
  outcome: { done?: string | undefined; count?: string | undefined }
}

export function usersPage(data: UsersPage, page: PageContext): string {
  const { lang } = page
  const { people: texts, shared } = adminTextsFor(lang)
  const { found, search, filters, can } = data
  const roles = data.known.roles.map((value) => ({ value, label: roleName(lang, value, data.area.roles) }))
  const known = { ...data.known, roles }
  const choices = choiceFields(lang, search, filters, known)
  const days = dayFields(texts, search)
  const active = activeFilters(data, [...choices, ...days])
  const { page: _page, ...exported } = search
  return renderAdminLayout(
    data.area,
    {
      template: new URL('./users.eta', import.meta.url),
      styles: ['people.css'],
      title: texts.title,
      scripts: ['search-while-typing.js', 'select-all.js'],
      action: can('users:create') ? { path: `${usersPath}/new`, label: texts.create, icon: 'add' } : undefined,
      done: doneText(data.outcome, lang),
      problem: problemOf(data.outcome, lang),
      data: {
        texts,
        mayChangeMany: can('users:bulk'),
        mayExport: can('users:export'),
        q: search.q ?? '',
        filtersLabel: active.length > 0 ? fillPlural(lang, texts.filtersActive, active.length) : texts.filters,
        choices,
        days,
        active,
        isBad: found === undefined,
        clearPath: addressOf(usersPath, { q: search.q, sort: search.sort }),
        orders: orders.map((name) => ({ value: name, label: texts.orders[name] })),
        sort: search.sort ?? '',
        rows: found?.users.map((user, index) => rowOf(user, index, data, page)) ?? [],
        empty: emptyState(data, page),
        pager: found && pagerOf(lang, found.pagination, search, { path: usersPath, countLimit }),
        bulk: { form: data.form, actions: bulkActionsFor(lang, { deleted: search.deleted === 'true', ...data.known }) },
        exportPath: addressOf(`${usersPath}/export`, exported),
        shared,
      },
    },
    page,
  )
}

/** The filters that are set, each with the path of the list without that filter. */
const activeFilters = ({ search, filters }: UsersPage, fields: readonly ShownFilter[]) =>
  filterNames(filters).flatMap((name) => {
    const value = search[name]
    if (!value) return []
    const field = fields.find((one) => one.name === name)
    const shown = field?.choices?.find((choice) => choice.value === value)?.label ?? value
    const path = addressOf(usersPath, { ...search, [name]: undefined, page: undefined })
    return [{ label: `${field?.label ?? name}: ${shown}`, path }]
  })

type ShownFilter = Pick<ChoiceField, 'name' | 'label'> & Partial<Pick<ChoiceField, 'choices'>>

const rowOf = (user: ListedUser, index: number, { area, may, deletedRetention }: UsersPage, page: PageContext) => {
  const { lang, publicUrl } = page
  const { people: texts } = adminTextsFor(lang)
  const name = fullNameOf(user)
  return {
    id: user.id,
    // All bulk actions concern this right or one that fewer administrators have.
    mayPick: may(user, 'end_sessions'),
    field: `pick${index}`,
    name,
    // For users without a name, the first line is the email address.
    about: name === user.email ? user.user_name : user.email,
    path: userPagePath(user.id),
    face: faceOf(publicUrl, user),
    chips: chipsOf(lang, { user }, area.roles),
    isDeleted: user.deleted_at !== undefined,
    dated: user.deleted_at
      ? fill(texts.deletedUntil, deletionDays(lang, { deletedAt: user.deleted_at, deletedRetention }))
      : fill(texts.created, { day: onDay(lang, user.created_at, null, 'medium') }),
    select: fill(texts.select, { name }),
  }
}

function emptyState({ found }: UsersPage, { lang }: PageContext) {
  const { people: texts } = adminTextsFor(lang)
  const action = { path: usersPath, label: texts.showAll }
  if (!found) return { icon: 'filter', title: texts.badFilter, text: texts.badFilterText, action }
  return { icon: 'search', title: texts.nobody, text: texts.nobodyText, action }
}

function doneText({ done, count }: UsersPage['outcome'], lang: string): string | undefined {
  const action = bulkActions.find((known) => known === done)
  if (!action || !/^\d{1,4}$/.test(count ?? '')) return undefined
  return fillPlural(lang, adminTextsFor(lang).bulk.actions[action].done, Number(count))
}

/** Without JavaScript, the bulk form can be submitted before an action or a user is selected. */
function problemOf({ done }: UsersPage['outcome'], lang: string): string | undefined {
  const { people } = adminTextsFor(lang)
  if (done === 'no-action') return people.bulkNoAction
  if (done === 'only-self') return people.bulkOnlySelf
  return done === 'nobody' ? people.bulkNobody : undefined
}
