import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { type PageLanguage, textsFor } from './texts/index.ts'

/** What every page is told besides its own data. */
export interface PageContext {
  appName: string
  lang: PageLanguage
  /** The nonce of this reply's Content-Security-Policy. */
  nonce: string
  /** Without a slash at the end. */
  publicUrl: string
}

interface PageView {
  template: string
  title: string
  /** `card` for one short thing to do, `reading` for a text, `tool` for the whole width. */
  shape: 'card' | 'reading' | 'tool'
  /** Stylesheets of this page, added to the shared one. */
  styles?: string[]
  /** ES modules in `assets/`, each after those it imports. */
  scripts?: string[]
  /** Values for the scripts. */
  settings?: unknown
  data: object
}

const eta = new Eta({ views: fileURLToPath(new URL('./templates/', import.meta.url)), cache: true, autoEscape: true })
const assets = new Map<string, string>()

/** One HTML document. Nothing in it needs more than its nonce, and nothing is loaded from another place. */
export function renderPage(view: PageView, page: PageContext): string {
  const texts = textsFor(page.lang)
  return eta.render('layout', {
    page,
    texts,
    title: view.title === page.appName ? view.title : `${view.title} · ${page.appName}`,
    shape: view.shape,
    css: ['pages.css', ...(view.styles ?? [])].map(asset).join('\n'),
    script: view.scripts && bundle(view.scripts),
    settings: view.settings && jsonInHtml(view.settings),
    iconAddress: `data:image/svg+xml;base64,${Buffer.from(asset('favicon.svg')).toString('base64')}`,
    body: eta.render(view.template, { ...view.data, page }),
  })
}

/** Where a form may go: a path of this service, never another host. */
export function ownPath(path: string): string {
  if (!/^\/(?![/\\])[^\s\\]*$/.test(path)) throw new Error('not a path of this service')
  return path
}

/** Where a link may go: our own paths and web addresses. */
export function linkTarget(href: string): string {
  return /^https?:\/\/[^\s\\]+$/.test(href) ? href : ownPath(href)
}

// The scripts are ES modules, so that editors and tests read them as such. A page carries them as a single module.
const bundle = (names: string[]): string =>
  names
    .map((name) =>
      asset(name)
        .replace(/^import .*\n/gm, '')
        .replace(/^export /gm, ''),
    )
    .join('\n')

// "</script>" and "<!--" inside a string would end or change the element around it.
const jsonInHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

function asset(name: string): string {
  let text = assets.get(name)
  if (text === undefined) {
    text = readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')
    assets.set(name, text)
  }
  return text
}
