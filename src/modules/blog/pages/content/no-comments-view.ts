import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { blogTextsFor } from '../texts.ts'
import type { ContentRights } from './content-visit.ts'
import { contentPaths } from './schemas.ts'
import { contentStyles, tabsFor } from './tabs.ts'

/** The comments page that is shown if the comments component is not installed. */
export function noCommentsPage({ area }: { area: AdminArea }, rights: ContentRights, page: PageContext): string {
  const { content } = blogTextsFor(page.lang)
  const { title, text, action } = content.comments.notInstalled
  return renderAdminLayout(
    area,
    {
      template: new URL('./no-comments.eta', import.meta.url),
      styles: contentStyles,
      title: content.title,
      data: {
        sections: content.sections,
        tabs: tabsFor(page.lang, rights, contentPaths.comments),
        empty: {
          icon: 'content',
          title,
          text,
          action: rights.administers ? { path: '/admin/modules/blog', label: action } : undefined,
        },
      },
    },
    page,
  )
}
