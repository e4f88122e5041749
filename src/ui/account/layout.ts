import { fileURLToPath } from 'node:url'
import type { NavigationEntry } from '../../context.ts'
import { type AreaData, type PageContext, type PageView, renderPage, type TemplatePath } from '../shared/render.ts'
import { textsFor } from '../texts/index.ts'

export interface AccountArea {
  path: string
  entries: NavigationEntry[]
  /** The link to the console, for staff. */
  console?: NavigationEntry | undefined
  logoutForm: string
  /** The scripts keep entered values only for this user. */
  userId: string
}

interface AreaView extends Pick<PageView, 'template' | 'title' | 'styles' | 'scripts' | 'settings' | 'data'> {
  /** A sentence describing the result of the last action. */
  done?: string | undefined
}

export function renderAccountLayout(area: AccountArea, { done, ...view }: AreaView, page: PageContext): string {
  const { account, form } = textsFor(page.lang)
  const links = area.entries.map(({ path, label, icon }) => ({
    path,
    icon,
    label: label(page.lang),
    current: path === area.path ? 'page' : area.path.startsWith(`${path}/`) && path !== '/account' && 'true',
  }))
  const inner = { template: fileURLToPath(view.template) as TemplatePath<AreaData>, data: view.data }
  const console = area.console && {
    path: area.console.path,
    label: area.console.label(page.lang),
    icon: area.console.icon,
  }
  const data = { title: view.title, texts: account, area, links, console, done, inner, kept: form.kept }
  return renderPage({ ...view, template: new URL('./layout.eta', import.meta.url), shape: 'account', data }, page)
}

export const accountText = (words: Record<string, string>, code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(words, code) ? words[code] : undefined
