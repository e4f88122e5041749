import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import type { PageLanguage } from '../../../src/pages/texts/index.ts'
import { declaredRoutes } from '../../http/support.ts'
import { skipWithoutChromium } from '../../support/browser.ts'
import { type ListedPage, type PageArea, pageAreas } from './list.ts'
import { createWorld, type Visitor, type World } from './world.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const phone = { width: 360, height: 740 }
const desk = { width: 1280, height: 800 }
/** Each page is opened and checked at the first size, then resized to the second size and checked again. */
const sizes = { en: [phone, desk], es: [desk, phone] } satisfies Record<PageLanguage, unknown>

/** axe's WCAG 2.2 AA rules and its best practices. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const notPages = ['/auth/verify/for*', '/metrics', '/openapi.json', '/logo', '/dev/inbox.json']

/** Records layout shifts and policy violations from the start of loading. */
const watch = `
  window.seen = { shift: 0, blocked: [] }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  document.addEventListener('securitypolicyviolation', (event) => seen.blocked.push(event.violatedDirective))
`

/**
 * Checks each page of an area in one language with axe, and for layout problems and content security policy violations.
 * Each area and language has its own test file because the checks take a long time.
 */
export function lookAtEveryPage(lang: PageLanguage, areaName: keyof typeof pageAreas): void {
  const area: PageArea = pageAreas[areaName]
  describe(`every page of the area ${areaName} in ${lang}`, { skip: skipWithoutChromium() }, () => {
    let world: World
    const opened = new Set<string>()
    before(async () => {
      world = await createWorld()
    })
    /** Each visitor uses one tab for all pages because opening a new tab for each page is slower. */
    const tabs = new Map<Visitor, Page>()
    after(async () => {
      for (const page of tabs.values()) await page.context().close()
      await world?.stop()
    })

    async function open(who: Visitor): Promise<Page> {
      const look = { viewport: sizes[lang][0] ?? phone, locale: lang, reducedMotion: 'reduce' } as const
      const known = who === 'somebody' ? undefined : tabs.get(who)
      if (known) {
        await known.setViewportSize(look.viewport)
        await known.emulateMedia({ colorScheme: 'light' })
        return known
      }
      await tabs.get(who)?.context().close()
      const context = await world.open(who, look)
      await context.addInitScript(watch)
      await context.addInitScript(axe)
      const page = await context.newPage()
      tabs.set(who, page)
      return page
    }

    for (const listed of area.pages) {
      test(listed.name, async () => {
        const page = await open(listed.as ?? 'nobody')
        const watched = watchLoads(page)
        try {
          await check(page, listed, watched)
        } finally {
          watched.stop()
        }
      })
    }
    test('no page is missing from the list', () => {
      const pages = declaredRoutes(world.app)
        .filter(({ method, rule }) => method === 'GET' && rule.hidden)
        .map(({ url }) => url)
      assert.deepEqual(
        pages.filter((path) => area.owns(path) && ![...opened].some((one) => isAt(path, one))),
        notPages.filter(area.owns),
      )
    })

    function watchLoads(page: Page) {
      const outside: string[] = []
      const failures: string[] = []
      const onRequest = (request: Request) => {
        if (request.isNavigationRequest()) opened.add(new URL(request.url()).pathname)
        if (!request.url().startsWith(`${world.home}/`) && !request.url().startsWith('data:'))
          outside.push(request.url())
      }
      const onError = (error: Error) => failures.push(error.message)
      page.on('request', onRequest).on('pageerror', onError)
      return { outside, failures, stop: () => page.off('request', onRequest).off('pageerror', onError) }
    }

    async function check(
      page: Page,
      { path, leadsTo, act, lang: pageLang }: ListedPage,
      { outside, failures }: ReturnType<typeof watchLoads>,
    ): Promise<void> {
      const address = new URL(typeof path === 'string' ? path : await path(world), world.home)
      await page.goto(address.href)
      assert.equal(new URL(page.url()).pathname, leadsTo ?? address.pathname)
      await act?.(page, world)
      assert.equal(await page.getAttribute('html', 'lang'), pageLang ?? lang)
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      const seen = await page.evaluate<{ shift: number; blocked: string[] }>('seen')
      assert.deepEqual({ ...seen, outside, failures }, { shift: 0, blocked: [], outside: [], failures: [] })
      for (const size of sizes[lang]) {
        await page.setViewportSize(size)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          const all = colorScheme === 'light' ? rules : { type: 'rule', values: ['color-contrast'] }
          assert.deepEqual(await violations(page, all), [], `${size.width} px, ${colorScheme}`)
        }
        assert.ok(await fits(page), `nothing is wider than ${size.width} px`)
      }
      await page.evaluate('document.documentElement.dir = "rtl"')
      assert.ok(await fits(page), 'nor when it is mirrored')
    }
  })
}

/** Whether the path matches the route, whose segments can be parameters such as `:slug`. */
const isAt = (route: string, path: string): boolean =>
  route === path || new RegExp(`^${route.replace(/:\w+/g, '[^/]+').replaceAll('*', '\\*')}$`).test(path)

const fits = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth')

async function violations(page: Page, runOnly: unknown): Promise<string[]> {
  const found = await page.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(
    `axe.run(document, { iframes: false, resultTypes: ['violations'], runOnly: ${JSON.stringify(runOnly)} })
      .then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}
