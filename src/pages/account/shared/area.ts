import { fileURLToPath } from 'node:url'
import type { NavigationEntry } from '../../../context.ts'
import { type PageContext, type PageView, renderPage } from '../../shared/render.ts'
import { textsFor } from '../../texts/index.ts'

/** What every page of the account has around it. */
export interface Area {
  /** Of the page itself. */
  path: string
  entries: NavigationEntry[]
  /** The signed value of the form that signs out. */
  logoutForm: string
}

interface AreaView extends Pick<PageView, 'template' | 'title' | 'styles' | 'scripts' | 'settings' | 'data'> {
  /** What has just been done, in words: the page is the answer to it. */
  done?: string | undefined
}

/** A page of the account: `template` gets `data`, and has the navigation and the title around it. */
export function renderArea(area: Area, { done, ...view }: AreaView, page: PageContext): string {
  const { account } = textsFor(page.lang)
  const links = area.entries.map(({ path, label }) => ({
    path,
    label: label(page.lang),
    current: path === area.path ? 'page' : area.path.startsWith(`${path}/`) && path !== '/account' && 'true',
  }))
  const inner = { template: fileURLToPath(view.template), data: view.data }
  const data = { title: view.title, texts: account, area, links, done, inner }
  return renderPage({ ...view, template: new URL('./area.eta', import.meta.url), shape: 'account', data }, page)
}

/** Words for a code in the address; nothing for one that we do not have. */
export const wordsOf = (words: Record<string, string>, code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(words, code) ? words[code] : undefined
