import { languageName } from '../../../../lib/locale.ts'
import { ago } from '../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../ui/texts/index.ts'
import type { ShownListedPost } from '../../lists/schemas.ts'
import type { ListAuthorsRoute } from '../../taxonomy/schemas.ts'
import { authorName } from '../reading/authors.ts'
import { linkWithQuery } from '../reading/links.ts'
import { type BlogTexts, blogTextsFor } from '../texts.ts'
import type { ContentRights } from './content-visit.ts'
import { contentPaths, postPath } from './schemas.ts'
import { contentStyles, tabsFor } from './tabs.ts'

export const listStates = ['mine', 'published', 'draft', 'pending', 'scheduled', 'trash'] as const
export type ListState = (typeof listStates)[number]

export interface ContentQuery {
  q?: string
  state?: string
  lang?: string
  type?: string
  author?: string | undefined
  sort?: string
  page?: string
}

export interface ContentList {
  area: AdminArea
  rights: ContentRights
  state: ListState
  query: ContentQuery
  posts: ShownListedPost[]
  total: number
  page: number
  pages: number
  authors: ResponseOf<typeof ListAuthorsRoute>['data']
  types: { key: string; name: string }[]
  now: number
  restoreForm: string
  done?: string | undefined
  problem?: string | undefined
}

export function contentListPage(list: ContentList, page: PageContext): string {
  const texts = blogTextsFor(page.lang).content
  const { query, state, rights } = list
  const at = (members: ContentQuery) => linkWithQuery(contentPaths.posts, { ...query, page: undefined, ...members })
  const states = listStates.filter((one) => one !== 'trash' || rights.administers)
  return renderAdminLayout(
    list.area,
    {
      template: new URL('./list.eta', import.meta.url),
      styles: contentStyles,
      title: texts.title,
      action: rights.writes ? { path: contentPaths.create, label: texts.list.write, icon: 'add' } : undefined,
      done: textOf(texts.done, list.done),
      doneLink:
        list.done === 'removed' && rights.administers
          ? { path: at({ state: 'trash' }), label: texts.list.openTrash }
          : undefined,
      problem: problemText(page.lang, list.problem, texts.rejections),
      data: {
        texts,
        sections: texts.sections,
        tabs: tabsFor(page.lang, rights, contentPaths.posts),
        path: contentPaths.posts,
        states: states.map((one) => ({ label: texts.states[one], path: at({ state: one }), isCurrent: one === state })),
        state,
        query,
        filters: filtersOf(list, page),
        posts: list.posts.map((post) => rowOf(post, texts, list, page)),
        total: fillPlural(page.lang, texts.list.total, list.total),
        newer: list.page > 1 && at({ page: String(list.page - 1) }),
        older: list.page < list.pages && at({ page: String(list.page + 1) }),
        position: fill(texts.list.position, { page: list.page, pages: list.pages }),
        isFiltered: Boolean(query.q || query.lang || query.type || query.author),
        restore: { path: contentPaths.restore, formToken: list.restoreForm },
      },
    },
    page,
  )
}

function filtersOf({ query, state, authors, types }: ContentList, { lang }: PageContext) {
  const { people } = adminTextsFor(lang)
  const { fields, list: texts } = blogTextsFor(lang).content
  const any = { value: '', label: texts.any }
  const active = [query.lang, query.type, query.author].filter((value) => value).length
  const optional = [
    { name: 'type', label: fields.type, choices: types.map(({ key, name }) => ({ value: key, label: name })), min: 2 },
    {
      name: 'author',
      label: texts.author,
      choices: authors.map((author) => ({ value: author.id, label: authorName(author) })),
      min: 1,
    },
  ] as const
  const sorts = Object.entries(texts.sorts).map(([value, label]) => ({ value, label }))
  return {
    isActive: active > 0,
    label: active > 0 ? fillPlural(lang, people.filtersActive, active) : people.filters,
    search: people.search,
    clear: linkWithQuery(contentPaths.posts, { state }),
    clearLabel: people.clear,
    choices: [
      ...optional
        .filter(({ choices, min }) => choices.length >= min)
        .map(({ name, label, choices }) => ({
          kind: 'select' as const,
          name,
          label,
          value: query[name] ?? '',
          choices: [any, ...choices],
        })),
      { kind: 'select' as const, name: 'sort', label: texts.sort, value: query.sort ?? '', choices: sorts },
    ],
  }
}

function rowOf(post: ShownListedPost, texts: BlogTexts['content'], { now, types }: ContentList, page: PageContext) {
  const chips = { published: 'good', scheduled: 'warn', pending: 'warn', draft: '', deleted: 'bad' } as const
  const type = post.post_type === undefined || post.post_type === 'post' ? undefined : post.post_type
  const about = [
    (post.author && authorName(post.author)) || undefined,
    fill(texts.list.changed, { when: ago(page.lang, post.updated_at, now) }),
    languageName(page.lang, post.lang),
    type && (types.find(({ key }) => key === type)?.name ?? type),
  ]
  return {
    id: post.id,
    title: post.title,
    lang: post.lang,
    path: post.status === 'deleted' ? undefined : postPath(post.id),
    status: { label: texts.statuses[post.status], kind: chips[post.status] },
    visibility: post.visibility === 'public' ? undefined : texts.visibilities[post.visibility],
    about: about.filter((part) => part).join(' · '),
  }
}

export const textOf = (words: Record<string, string>, code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(words, code) ? words[code] : undefined
