import type { UserFilter } from '../../../../context.ts'
import { onDay } from '../../../account/shared/when.ts'
import type { PageContext } from '../../../shared/render.ts'
import { fill, fillPlural } from '../../../texts/index.ts'
import { type AdminArea, renderAdminLayout } from '../../shared/layout.ts'
import { addressOf, type Pagination, pagerOf } from '../../shared/pager.ts'
import { roleName } from '../../shared/roles.ts'
import { adminTextsFor } from '../../texts/index.ts'
import { bulkActionsFor } from '../bulk/choices.ts'
import { chipsOf, faceOf, type ListedUser, peoplePath, personName, personPath } from '../shared.ts'
import { choiceFields, dayFields, filterNames, orders, type PeopleSearch } from './search-fields.ts'

/** The API stops counting at this number so that searches with many matches are fast. */
export const countLimit = 10_000

export interface PeoplePage {
  area: AdminArea
  mayAct: boolean
  /** Undefined if a filter is invalid. */
  found: { users: ListedUser[]; pagination: Pagination } | undefined
  search: PeopleSearch
  filters: readonly UserFilter[]
  known: { roles: readonly string[]; providers: readonly string[] }
  form: string
  outcome: { done?: string | undefined; count?: string | undefined }
}

export function peoplePage(data: PeoplePage, page: PageContext): string {
  const { lang } = page
  const { people: texts, shared } = adminTextsFor(lang)
  const { found, search, filters, mayAct } = data
  const roles = data.known.roles.map((value) => ({ value, label: roleName(lang, value) }))
  const known = { roles, providers: data.known.providers }
  const active = filterNames(filters).filter((name) => search[name])
  const { page: _page, ...exported } = search
  return renderAdminLayout(
    data.area,
    {
      template: new URL('./people.eta', import.meta.url),
      title: texts.title,
      scripts: ['search-while-typing.js', 'select-all.js'],
      action: mayAct ? { path: `${peoplePath}/new`, label: texts.create, icon: 'add' } : undefined,
      done: doneText(data.outcome, lang),
      problem: problemOf(data.outcome, lang),
      data: {
        texts,
        mayAct,
        q: search.q ?? '',
        filtersLabel: active.length > 0 ? fillPlural(lang, texts.filtersActive, active.length) : texts.filters,
        choices: choiceFields(texts, lang, search, filters, known),
        days: dayFields(texts, search),
        orders: orders.map((name) => ({ value: name, label: texts.orders[name] })),
        sort: search.sort ?? '',
        rows: found?.users.map((user, index) => rowOf(user, index, page)) ?? [],
        empty: emptyState(data, page),
        pager: found && pagerOf(lang, found.pagination, search, { path: peoplePath, countLimit }),
        bulk: { form: data.form, actions: bulkActionsFor(lang, search.deleted === 'true') },
        exportPath: addressOf(`${peoplePath}/export`, exported),
        shared,
      },
    },
    page,
  )
}

const rowOf = (user: ListedUser, index: number, { lang, publicUrl }: PageContext) => {
  const { people: texts } = adminTextsFor(lang)
  const name = personName(user)
  return {
    id: user.id,
    field: `pick${index}`,
    name,
    // For users without a name, the first line is the email address.
    about: name === user.email ? user.user_name : user.email,
    path: personPath(user.id),
    face: faceOf(publicUrl, user),
    chips: chipsOf(lang, user),
    created: fill(texts.created, { day: onDay(lang, user.created_at, null) }),
    select: fill(texts.select, { name }),
  }
}

function emptyState({ found }: PeoplePage, { lang }: PageContext) {
  const { people: texts } = adminTextsFor(lang)
  const action = { path: peoplePath, label: texts.showAll }
  if (!found) return { icon: 'filter', title: texts.badFilter, text: texts.badFilterText, action }
  return { icon: 'search', title: texts.nobody, text: texts.nobodyText, action }
}

function doneText({ done, count }: PeoplePage['outcome'], lang: string): string | undefined {
  const { people } = adminTextsFor(lang)
  return done === 'changed' && /^\d{1,4}$/.test(count ?? '') ? fillPlural(lang, people.done, Number(count)) : undefined
}

/** Without JavaScript, the bulk form can be submitted before an action or users are selected. */
function problemOf({ done }: PeoplePage['outcome'], lang: string): string | undefined {
  const { people } = adminTextsFor(lang)
  if (done === 'no-action') return people.bulkNoAction
  if (done === 'only-self') return people.bulkOnlySelf
  return done === 'nobody' ? people.bulkNobody : undefined
}
