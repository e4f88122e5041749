import { fileURLToPath } from 'node:url'
import type { AdminEntry } from '../../context.ts'
import { confirmedInTabPath, confirmPath } from '../flow/end-flow.ts'
import { type AreaData, type PageContext, type PageView, renderPage, type TemplatePath } from '../shared/render.ts'
import { textsFor } from '../texts/index.ts'
import type { ActionValues } from './console-part.ts'
import type { RolesInWords } from './roles.ts'
import { adminTextsFor } from './texts/index.ts'

export interface AdminArea {
  /** The path of the current navigation entry. */
  path: string
  entries: AdminEntry[]
  logoutForm: string
  roles: RolesInWords
  /** The scripts keep entered values only for this user. */
  userId: string
  /** Whether email delivery is not configured. */
  isMailOff?: boolean
  /** Whether the visitor has just reauthenticated. */
  isConfirmed?: boolean
  /** Whether the submitted form requires reauthentication. */
  asksForProof?: boolean
}

export interface AdminView extends Pick<PageView, 'template' | 'title' | 'styles' | 'scripts' | 'settings' | 'data'> {
  /** A sentence below the title. */
  lead?: string | undefined
  /** The parent page, linked above the title. */
  parent?: { path: string; label: string }
  /** The page's main action, next to the title. */
  action?: { path: string; label: string; icon: string; isPlain?: boolean } | undefined
  /** A sentence describing the result of the last action. `doneLink` reverts the action or leads to the next step. */
  done?: string | undefined
  doneLink?: { path: string; label: string } | undefined
  /** A button next to `done`, if the action can be reverted without more input. */
  doneForm?: { path: string; label: string; token: string; values?: ActionValues | undefined } | undefined
  /** A sentence explaining why the last action failed. */
  problem?: string | undefined
  problemLink?: { path: string; label: string } | undefined
}

export function renderAdminLayout(area: AdminArea, view: AdminView, page: PageContext): string {
  const { shared } = adminTextsFor(page.lang)
  const links = area.entries.map(({ path, label, icon }) => ({
    path,
    icon,
    label: label(page.lang),
    isCurrent: path === area.path,
  }))
  const { template, title, styles, scripts, settings, data, ...head } = view
  const inner = { template: fileURLToPath(template) as TemplatePath<AreaData>, data }
  const done = head.done ?? (area.isConfirmed ? shared.confirmed : undefined)
  const allScripts = [...(scripts ?? []), ...(done === undefined ? [] : ['forget-outcome.js'])]
  return renderPage(
    {
      template: new URL('./layout.eta', import.meta.url),
      title,
      shape: 'admin',
      styles,
      ...(allScripts.length > 0 && { scripts: allScripts }),
      settings,
      data: {
        ...head,
        title,
        texts: shared,
        area,
        links,
        inner,
        done,
        kept: textsFor(page.lang).form.kept,
        provePath: area.asksForProof && proofPath,
      },
    },
    page,
  )
}

/** The link opens a new tab, so that the form keeps the entered values. */
const proofPath = `${confirmPath}?${new URLSearchParams({ next: confirmedInTabPath })}`
