import type { PageContext } from '../shared/render.ts'
import { textsFor } from '../texts/index.ts'
import { type AdminArea, renderAdminLayout } from './layout.ts'

/** Keeps the console's navigation, so that staff can continue after opening a wrong URL. */
export function notFoundPage(area: AdminArea, page: PageContext): string {
  const { errors } = textsFor(page.lang)
  const section = area.entries.find(({ path }) => path === area.path)
  return renderAdminLayout(
    area,
    {
      template: new URL('./not-found.eta', import.meta.url),
      title: errors.notFoundTitle,
      data: {
        sentence: errors.notFound,
        link: section && { path: section.path, label: section.label(page.lang) },
      },
    },
    page,
  )
}
