import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { inFlow } from '../flow/flow.ts'
import { fill, otherLanguages, type PageLanguage, textsFor } from '../texts/index.ts'
import type { Theme } from './theme.ts'

/** What every page is told besides its own data. */
export interface PageContext {
  appName: string
  lang: PageLanguage
  /** The nonce of this reply's Content-Security-Policy. */
  nonce: string
  /** Without a slash at the end. */
  publicUrl: string
  theme: Theme
  /** Mail is kept in the development inbox, where this reader finds it. */
  inbox?: boolean
  /** The id of the flow that the page is part of: its links and forms stay in it. */
  flow?: string | undefined
  /** The name of the application that people sign in for. */
  application?: string | undefined
  /** The signed value of the form that leads back to that application, where it can be told. */
  cancelForm?: string | undefined
  /** What the switch of languages posts; a page that is shown without a request has none. */
  languageForm?: { formToken: string; back: string }
}

/** `card` for one short thing to do, `reading` for a text, `account` for the account area, `tool` for the whole width. */
type Shape = 'card' | 'reading' | 'account' | 'tool'

export interface PageView {
  /** Its address: `new URL('./name.eta', import.meta.url)`. */
  template: URL
  title: string
  shape: Shape
  /** Stylesheets of this page, added to the shared one. */
  styles?: string[]
  /** ES modules, each after those it imports: the address of a file, or a name in `assets/`. */
  scripts?: (string | URL)[]
  /** Values for the scripts. */
  settings?: unknown
  data: object
}

const partials = fileURLToPath(new URL('../partials/', import.meta.url))

/** A page names its template by its address, a template those beside it as `./name` and those of `partials` by their name. */
class Templates extends Eta {
  override resolvePath = (name: string, { filepath = '' }: { filepath?: string } = {}): string => {
    if (isAbsolute(name)) return name
    return join(name.startsWith('./') ? dirname(filepath) : partials, `${name}.eta`)
  }
}

const eta = new Templates({ cache: true, autoEscape: true })
let keepsFiles = true

/** For development: a changed template, style or script shows with the next page. */
export function readFilesEveryTime(): void {
  eta.config.cache = false
  keepsFiles = false
}

/** One HTML document. Nothing in it needs more than its nonce, and nothing is loaded from another place. */
export function renderPage(view: PageView, page: PageContext): string {
  const texts = textsFor(page.lang)
  return eta.render('layout', {
    page,
    texts,
    title: view.title === page.appName ? view.title : `${view.title} · ${page.appName}`,
    shape: view.shape,
    css: stylesheet(['pages.css', ...stylesOf[view.shape], ...(view.styles ?? [])]),
    script: view.scripts && script(view.scripts),
    settings: view.settings && jsonInHtml(view.settings),
    languages: otherLanguages[page.lang],
    body: eta.render(fileURLToPath(view.template), {
      ...view.data,
      page,
      fill,
      inFlow: (path: string) => inFlow(path, page.flow),
      continues: page.application && texts.returning.continues,
      cancelLabel: texts.returning.cancel,
    }),
  })
}

/** Where a form may go: a path of this service, never another host. */
export function ownPath(path: string): string {
  if (!isOwnPath(path)) throw new Error('not a path of this service')
  return path
}

/** Printable ASCII, as addresses are written: a header takes nothing else. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)

/** Where a link may go: our own paths and web addresses. */
export function linkTarget(href: string): string {
  return /^https?:\/\/[^\s\\]+$/.test(href) ? href : ownPath(href)
}

// "</script>" and "<!--" inside a string would end or change the element around it.
const jsonInHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const stylesOf: Record<Shape, string[]> = { card: [], reading: [], account: ['account.css'], tool: [] }

/** Part of the page, so that nothing has to arrive before it is painted; hence without what only authors read. */
const stylesheet = joinedOnce((text) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replaceAll(';}', '}')
    .trim(),
)

// The scripts are ES modules, so that editors and tests read them as such. A page carries them as a single module.
const script = joinedOnce((text) => text.replace(/^import .*\n/gm, '').replace(/^export /gm, ''))

/** Assets by their names, made fit and put together the first time that a page needs them. */
function joinedOnce(fit: (text: string) => string): (names: (string | URL)[]) => string {
  const made = new Map<string, string>()
  return (names) => {
    const key = names.join()
    const text = (keepsFiles && made.get(key)) || names.map((name) => fit(readFileSync(place(name), 'utf8'))).join('\n')
    made.set(key, text)
    return text
  }
}

function place(asset: string | URL): URL {
  return asset instanceof URL ? asset : new URL(`../assets/${asset}`, import.meta.url)
}
