import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fillPlural } from '../../../../ui/texts/index.ts'
import { usersPath } from '../shared.ts'

export interface ExportPage {
  area: AdminArea
  total: number
  /** The API search query. */
  query: string
}

export function exportPage({ area, total, query }: ExportPage, page: PageContext): string {
  const { export: texts, people, shared } = adminTextsFor(page.lang)
  const file = (format: string) => `/auth/users/export?${query}${query && '&'}format=${format}`
  return renderAdminLayout(
    area,
    {
      template: new URL('./export.eta', import.meta.url),
      title: texts.title,
      parent: { path: usersPath, label: people.title },
      data: {
        texts,
        shared,
        sentence: fillPlural(page.lang, texts.sentence, total),
        csv: file('csv'),
        json: file('json'),
        usersPath,
      },
    },
    page,
  )
}
