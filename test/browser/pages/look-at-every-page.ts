import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import type { PageLanguage } from '../../../src/ui/texts/index.ts'
import { declaredRoutes } from '../../http/support.ts'
import { skipWithoutChromium } from '../../support/browser.ts'
import { checkPage, initScript, sizes, type Trouble } from './check-page.ts'
import { type ListedPage, pageAreas } from './list.ts'
import { createWorld, type Visitor, type World } from './world.ts'

const notPages = [
  '/auth/verify/for*',
  '/metrics',
  '/.well-known/webauthn',
  '/.well-known/assetlinks.json',
  '/.well-known/apple-app-site-association',
  '/.well-known/passkey-endpoints',
  '/.well-known/change-password',
  '/openapi.json',
  '/logo',
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/robots.txt',
  '/dev/inbox.json',
]

/**
 * Checks each page of a part in one language with axe, and for layout problems and content security policy violations.
 * Each part and language has its own test file, service and browser, so that files of similar length can run in
 * parallel, and so that pages that show an initial state, such as an empty list, do so in both languages.
 */
export function lookAtEveryPage(lang: PageLanguage, part: keyof typeof pageAreas): void {
  let world: World | undefined
  after(() => world?.stop())

  for (const [name, area] of Object.entries(pageAreas[part]))
    describe(`every page of the area ${name} in ${lang}`, { skip: skipWithoutChromium() }, () => {
      let here: World
      const opened = new Set<string>()
      /** Each visitor uses one tab for all pages because opening a new tab for each page is slower. */
      const tabs = new Map<Visitor, Page>()
      before(async () => {
        here = world ??= await createWorld()
      })
      after(async () => {
        for (const page of tabs.values()) await page.context().close()
      })

      for (const listed of area.pages)
        test(listed.name, async () => {
          const page = await openTab(here, tabs, listed.as ?? 'nobody', lang)
          const { trouble, stop } = watchRequests(page, here, opened)
          try {
            await openPage(page, listed, here, lang)
            await checkPage(page, lang, trouble)
          } finally {
            stop()
          }
        })
      test('no page is missing from the list', () => {
        const pages = declaredRoutes(here.app)
          .filter(({ method, rule }) => method === 'GET' && rule.hidden)
          .map(({ url }) => url)
        assert.deepEqual(
          pages.filter((path) => area.owns(path) && ![...opened].some((one) => isAt(path, one))),
          notPages.filter(area.owns),
        )
      })
    })
}

async function openTab(world: World, tabs: Map<Visitor, Page>, who: Visitor, lang: PageLanguage): Promise<Page> {
  const [viewport] = sizes[lang]
  const known = who === 'somebody' ? undefined : tabs.get(who)
  if (known) {
    await known.setViewportSize(viewport)
    await known.emulateMedia({ colorScheme: 'light' })
    return known
  }
  await tabs.get(who)?.context().close()
  const context = await world.open(who, { viewport, locale: lang, reducedMotion: 'reduce' })
  await context.addInitScript(initScript)
  const page = await context.newPage()
  tabs.set(who, page)
  return page
}

/** Records requests to other hosts, errors in scripts, and the paths of the opened pages. */
function watchRequests(page: Page, world: World, opened: Set<string>) {
  const trouble: Trouble = { outside: [], failures: [] }
  const onRequest = (request: Request) => {
    if (request.isNavigationRequest()) opened.add(new URL(request.url()).pathname)
    if (!request.url().startsWith(`${world.home}/`) && !request.url().startsWith('data:'))
      trouble.outside.push(request.url())
  }
  const onError = (error: Error) => trouble.failures.push(error.message)
  page.on('request', onRequest).on('pageerror', onError)
  return { trouble, stop: () => page.off('request', onRequest).off('pageerror', onError) }
}

async function openPage(
  page: Page,
  { path, leadsTo, act, lang: pageLang }: ListedPage,
  world: World,
  lang: PageLanguage,
): Promise<void> {
  const address = new URL(typeof path === 'string' ? path : await path(world), world.home)
  await page.goto(address.href)
  assert.equal(new URL(page.url()).pathname, leadsTo ?? address.pathname)
  await act?.(page, world)
  assert.equal(await page.getAttribute('html', 'lang'), pageLang ?? lang)
}

/** Whether the path matches the route, whose segments can be parameters such as `:slug`. */
const isAt = (route: string, path: string): boolean =>
  route === path || new RegExp(`^${route.replace(/:\w+/g, '[^/]+').replaceAll('*', '\\*')}$`).test(path)
