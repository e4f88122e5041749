import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { inFlow } from '../flow/flow.ts'
import { fill, otherLanguages, type PageLanguage, textsFor } from '../texts/index.ts'
import { linkScripts } from './link-scripts.ts'
import type { PageTheme } from './theme.ts'

export interface PageContext {
  appName: string
  lang: PageLanguage
  /** The nonce in this response's Content-Security-Policy. */
  nonce: string
  /** Without a trailing slash. */
  publicUrl: string
  theme: PageTheme
  /** Whether messages go to the development inbox. */
  inbox?: boolean
  /** The id of the flow that the page is part of. */
  flow?: string | undefined
  /** The name of the application that started the flow. */
  application?: string | undefined
  /** The CSRF token for the form that cancels the flow. Undefined if the application cannot be notified. */
  cancelForm?: string | undefined
  /** The CSRF token for the form that ends an impersonated session. */
  stopForm?: string | undefined
  /** The signed-in user's name, if the page knows it. Shown during impersonation. */
  actingAs?: string | undefined
  /** Undefined for pages that are rendered without a request. */
  languageForm?: { formToken: string; back: string }
}

/** `card`: a short task. `reading`: a text. `account`: an account page. `admin`: a console page. `tool`: full width. */
type Shape = 'card' | 'reading' | 'account' | 'admin' | 'tool'

export interface PageView {
  template: URL
  title: string
  shape: Shape
  /** CSS files: URLs, or names in `assets/`. */
  styles?: (string | URL)[] | undefined
  /** ES modules: file URLs, or names in `assets/`. */
  scripts?: (string | URL)[]
  /** Passed to the scripts as JSON. */
  settings?: unknown
  /** Only for pages that search engines and other sites may show. */
  head?: PageHead | undefined
  /** The site that the page is part of. Undefined for the service's own pages. */
  site?: PageSite
  data: object
}

export interface PageHead {
  isIndexed: boolean
  description?: string | undefined
  /** Absolute URLs. */
  canonical: string
  links: readonly Readonly<Record<string, string>>[]
  properties: readonly { property: string; content: string }[]
  /** JSON-LD. */
  linkedData?: object
}

export interface PageSite {
  name: string
  home: string
  links: readonly { href: string; label: string }[]
}

/** The members that each page's template has in addition to its view's data. */
export type PageData = ReturnType<typeof pageData>

/** The members that the layouts of account and console pass to a page's template in addition to its view's data. */
export type AreaData = Pick<PageData, 'page' | 'fill' | 'inFlow'>

/** The absolute path of a template that is included with this data. */
export type TemplatePath<Data> = string & { readonly data?: Data }

const partials = fileURLToPath(new URL('../partials/', import.meta.url))

/** Resolves absolute paths, names relative to the including template (`./name`), and names in `partials`. */
class Templates extends Eta {
  override resolvePath = (name: string, { filepath = '' }: { filepath?: string } = {}): string => {
    if (isAbsolute(name)) return name
    return join(name.startsWith('./') ? dirname(filepath) : partials, `${name}.eta`)
  }

  // By default, an included template also has the members of the including template, which are not meant for it.
  override compileBody: Eta['compileBody'] = (parts) =>
    `include = (name, data) => this.render(name, data ?? {}, options);\n${compileBody.call(this, parts)}`
}

const { compileBody } = new Eta()

const eta = new Templates({ cache: true, autoEscape: true })
let keepsFiles = true

/** Disables the template and asset caches, for development. */
export function readFilesEveryTime(): void {
  eta.config.cache = false
  keepsFiles = false
}

/** The document's style and script, exactly as they appear in its elements. */
export interface InlineParts {
  css: string
  script: string | undefined
}

/** Returns one HTML document that loads no other files. */
export const renderPage = (view: PageView, page: PageContext): string => renderParts(view, page).html

/** Also returns the parts that a Content-Security-Policy must allow if the document has no nonce. */
export function renderParts(view: PageView, page: PageContext): InlineParts & { html: string } {
  const css = `${stylesheet(['pages.css', ...stylesOf[view.shape], ...(view.styles ?? [])])}${page.theme.css}`
  const body = renderBody(view, page)
  const scripts = [...scriptsOf[view.shape], ...formScriptsOf(view.shape, body), ...(view.scripts ?? [])]
  const parts = { css, script: scripts.length > 0 ? `\n${script(scripts)}\n` : undefined }
  return { ...parts, html: renderDocument(view, body, parts, page) }
}

const renderBody = (view: PageView, page: PageContext): string =>
  eta.render(fileURLToPath(view.template), { ...view.data, ...pageData(page) })

const pageData = (page: PageContext) => ({
  page,
  fill,
  inFlow: (path: string) => inFlow(path, page.flow),
  continues: page.application && textsFor(page.lang).returning.continues,
  cancelLabel: textsFor(page.lang).returning.cancel,
})

function renderDocument(view: PageView, body: string, { css, script }: InlineParts, page: PageContext): string {
  const texts = textsFor(page.lang)
  const siteName = view.site?.name ?? page.theme.name ?? page.appName
  return eta.render('layout', {
    page,
    texts,
    title: view.title === siteName ? view.title : `${view.title} · ${siteName}`,
    shape: view.shape,
    home: homeOf[view.shape] ?? '/',
    acting:
      page.actingAs === undefined
        ? texts.impersonation.acting
        : fill(texts.impersonation.actingAs, { name: page.actingAs }),
    hasNavigation: homeOf[view.shape] !== undefined,
    css,
    script,
    settings: view.settings === undefined ? undefined : jsonInHtml(view.settings),
    head: view.head,
    linkedData: view.head?.linkedData && jsonInHtml(view.head.linkedData),
    site: view.site,
    siteName,
    languages: otherLanguages[page.lang],
    body,
  })
}

/** The first page of each area that has a navigation menu. In these areas, the skip link leads to `#content`. */
const homeOf: Partial<Record<Shape, string>> = { account: '/account', admin: '/admin' }

/** Returns the path. Throws if the path is not on this service. */
export function ownPath(path: string): string {
  if (!isOwnPath(path)) throw new Error('not a path of this service')
  return path
}

/** Allows only printable ASCII, because paths are also sent in headers. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)

/** Allows this service's paths and http(s) URLs. */
export function linkTarget(href: string): string {
  return /^https?:\/\/[^\s\\]+$/.test(href) ? href : ownPath(href)
}

// "</script>" and "<!--" in a string would end the element or change how it is parsed.
const jsonInHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const stylesOf: Record<Shape, string[]> = {
  card: [],
  reading: [],
  account: ['account.css', 'empty-state.css'],
  admin: ['account.css', 'empty-state.css', 'admin.css'],
  tool: [],
}

const scriptsOf: Record<Shape, string[]> = {
  card: ['first-field.js'],
  reading: [],
  account: ['reload-restored.js', 'forget-texts.js'],
  admin: ['reload-restored.js', 'forget-texts.js'],
  tool: [],
}

/** Lists and overviews have no form in their content, so they leave out the script for forms. */
const formScriptsOf = (shape: Shape, body: string): string[] =>
  homeOf[shape] && body.split('id="content"')[1]?.includes(' method="post"') ? ['keep-values.js'] : []

const stylesheet = joinedOnce((files) => files.map((file) => compactStyle(readFileSync(file, 'utf8'))).join('\n'))

const compactStyle = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .trim()

const script = joinedOnce(linkScripts)

function joinedOnce(join: (files: URL[]) => string): (names: (string | URL)[]) => string {
  const made = new Map<string, string>()
  return (names) => {
    const key = names.join()
    const text = (keepsFiles && made.get(key)) || join(names.map(place))
    made.set(key, text)
    return text
  }
}

function place(asset: string | URL): URL {
  return asset instanceof URL ? asset : new URL(`../assets/${asset}`, import.meta.url)
}
