import type { PageContext } from '../../shared/render.ts'
import { fill } from '../../texts/index.ts'
import { type AdminArea, renderAdminLayout } from '../shared/layout.ts'
import { roleName, roleRights } from '../shared/roles.ts'
import { adminTextsFor } from '../texts/index.ts'
import { type ChecklistStep, checklistData } from './checklist.ts'

export interface ConsoleOverview {
  area: AdminArea
  viewer: { name: string; role: string }
  people: number
  checklist?: ChecklistStep[] | undefined
}

export function consoleOverviewPage({ area, viewer, people, checklist }: ConsoleOverview, page: PageContext): string {
  const { overview: texts } = adminTextsFor(page.lang)
  const parts = area.entries.filter(({ path }) => path !== area.path)
  const data = {
    texts,
    people: new Intl.NumberFormat(page.lang).format(people),
    signedInAs: fill(texts.signedInAs, { name: viewer.name, role: roleName(page.lang, viewer.role) }),
    rights: roleRights(page.lang, viewer.role),
    checklist: checklist && checklistData(page.lang, checklist),
    parts: parts.map(({ path, icon, label }) => ({ path, icon, label: label(page.lang) })),
  }
  return renderAdminLayout(
    area,
    { template: new URL('./overview.eta', import.meta.url), title: texts.title, data },
    page,
  )
}
