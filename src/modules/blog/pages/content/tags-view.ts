import { languageName } from '../../../../lib/locale.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../ui/texts/index.ts'
import type { MergeCounts } from '../../taxonomy/merge-queries.ts'
import type { ShownTag } from '../../taxonomy/schemas.ts'
import { linkWithQuery } from '../reading/links.ts'
import { blogTextsFor } from '../texts.ts'
import type { ContentRights } from './content-visit.ts'
import { textOf } from './list-view.ts'
import { contentPaths, mergePath } from './schemas.ts'
import { contentStyles, tabsFor } from './tabs.ts'

export interface TagList {
  area: AdminArea
  rights: ContentRights
  tags: ShownTag[]
  q: string | undefined
  page: number
  pages: number
  total: number
}

const template = new URL('./tags.eta', import.meta.url)

export function tagsPage(list: TagList & { done: string | undefined }, page: PageContext): string {
  const { content } = blogTextsFor(page.lang)
  const texts = content.tagList
  const rows = list.tags.map((tag) => ({
    ...rowOf(tag, page),
    action: { path: mergePath(tag.id), label: texts.merge, name: fill(texts.mergeOf, { name: tag.name }) },
  }))
  return renderAdminLayout(
    list.area,
    {
      template,
      styles: contentStyles,
      title: content.title,
      done: textOf(texts.done, list.done),
      data: {
        ...listData(list, contentPaths.tags, page),
        sections: content.sections,
        tabs: tabsFor(page.lang, list.rights, contentPaths.tags),
        rows,
      },
    },
    page,
  )
}

export function chooseTagPage({ tag, ...list }: TagList & { tag: ShownTag }, page: PageContext): string {
  const { content } = blogTextsFor(page.lang)
  const texts = content.tagList
  const path = mergePath(tag.id)
  const rows = list.tags
    .filter(({ id }) => id !== tag.id)
    .map((other) => ({
      ...rowOf(other, page),
      action: {
        path: linkWithQuery(path, { into: other.id }),
        label: texts.choose,
        name: fill(texts.chooseOf, { name: other.name }),
      },
    }))
  return renderAdminLayout(
    list.area,
    {
      template,
      styles: contentStyles,
      title: fill(texts.mergeOf, { name: tag.name }),
      lead: texts.chooseLead,
      parent: { path: contentPaths.tags, label: content.tabs.tags },
      data: { ...listData(list, path, page), sections: content.sections, tabs: [], rows },
    },
    page,
  )
}

interface PlannedMerge {
  area: AdminArea
  tag: ShownTag
  into: ShownTag
  counts: MergeCounts
  formToken: string
  problem: string | undefined
}

export function confirmMergePage(
  { area, tag, into, counts, formToken, problem }: PlannedMerge,
  page: PageContext,
): string {
  const { content } = blogTextsFor(page.lang)
  const texts = content.tagList
  const names = { name: tag.name, into: into.name }
  return renderAdminLayout(
    area,
    {
      template: new URL('./merge-tag.eta', import.meta.url),
      styles: contentStyles,
      title: fill(texts.confirmTitle, names),
      parent: { path: mergePath(tag.id), label: fill(texts.mergeOf, { name: tag.name }) },
      problem: problemText(page.lang, problem, content.rejections),
      data: {
        path: mergePath(tag.id),
        formToken,
        into: into.id,
        effects: [
          fillPlural(page.lang, texts.effect, counts.posts),
          ...(counts.already > 0 ? [fillPlural(page.lang, texts.already, counts.already)] : []),
          fill(texts.slugEffect, { slug: tag.slug }),
          texts.cannotUndo,
        ],
        submit: fill(texts.submit, names),
        cancel: { path: contentPaths.tags, label: texts.cancel },
      },
    },
    page,
  )
}

function listData(list: TagList, path: string, page: PageContext) {
  const { list: paging, tagList: texts } = blogTextsFor(page.lang).content
  const at = (number: number) => linkWithQuery(path, { q: list.q, page: number })
  return {
    texts,
    paging,
    path,
    q: list.q,
    total: fillPlural(page.lang, texts.total, list.total),
    newer: list.page > 1 && at(list.page - 1),
    older: list.page < list.pages && at(list.page + 1),
    position: fill(paging.position, { page: list.page, pages: list.pages }),
  }
}

const rowOf = ({ name, slug, lang, post_count }: ShownTag, page: PageContext) => ({
  name,
  lang,
  about: [
    slug,
    languageName(page.lang, lang),
    fillPlural(page.lang, blogTextsFor(page.lang).content.tagList.posts, post_count),
  ].join(' · '),
})
