import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fillPlural } from '../../../../ui/texts/index.ts'

export interface AuditExportPage {
  area: AdminArea
  total: number
  isTooMany: boolean
  /** The API search query. */
  query: string
  /** The search page URL. */
  back: string
}

export function auditExportPage({ area, total, isTooMany, query, back }: AuditExportPage, page: PageContext): string {
  const { audit: texts, export: words, shared } = adminTextsFor(page.lang)
  const file = (format: string) => `/auth/admin/audit/export?${query}${query && '&'}format=${format}`
  return renderAdminLayout(
    area,
    {
      template: new URL('./export.eta', import.meta.url),
      title: texts.exportTitle,
      parent: { path: back, label: texts.title },
      problem: isTooMany ? texts.exportTooMany : undefined,
      data: {
        words,
        cancel: shared.cancel,
        sentence: fillPlural(page.lang, texts.exportSentence, total),
        recorded: texts.exportRecorded,
        isTooMany,
        csv: file('csv'),
        json: file('json'),
        back,
      },
    },
    page,
  )
}
