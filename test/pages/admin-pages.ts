import { overviewPage } from '../../src/pages/admin/overview/view.ts'
import type { AdminArea } from '../../src/pages/admin/shared/layout.ts'
import type { PageContext } from '../../src/pages/shared/render.ts'

/** The pages for administrators, with the same text wherever they show external input. */
export function adminPages(text: string, page: PageContext): Record<string, string> {
  const at = (path: string): AdminArea => ({
    path,
    entries: [
      { path: '/admin', label: () => 'Overview', icon: 'overview', roles: [] },
      { path: '/admin/other', label: () => text, icon: 'people', roles: [] },
    ],
    logoutForm: text,
  })
  return {
    adminOverview: overviewPage({ area: at('/admin'), viewer: { name: text, role: text }, people: 1234 }, page),
  }
}
