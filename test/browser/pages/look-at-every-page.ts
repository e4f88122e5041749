import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import type { BrowserContext, Page, Response } from 'playwright-core'
import type { PageLanguage } from '../../../src/pages/texts/index.ts'
import { declaredRoutes } from '../../http/support.ts'
import { skipWithoutChromium } from '../../support/browser.ts'
import { type ListedPage, pagesList } from './list.ts'
import { createWorld, type Visitor, type World } from './world.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const phone = { width: 360, height: 740 }
const desk = { width: 1280, height: 800 }
/** A page is opened at the first size and then also examined at the other one. */
const sizes = { en: [phone, desk], es: [desk, phone] } satisfies Record<PageLanguage, unknown>

/** Every rule of WCAG 2.2 AA that a program can check, and axe's best practices. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Records problems from the moment a page starts to load. */
const watch = `
  window.seen = { shift: 0, blocked: [] }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  document.addEventListener('securitypolicyviolation', (event) => seen.blocked.push(event.violatedDirective))
`

/**
 * Checks every listed page in one language with axe, for layout problems and for violations of its policy. Each
 * language has its own file, because this takes long.
 */
export function lookAtEveryPage(lang: PageLanguage): void {
  describe(`every page in ${lang}`, { skip: skipWithoutChromium() }, () => {
    let world: World
    const opened = new Set<string>()
    before(async () => {
      world = await createWorld()
    })
    const contexts = new Map<Visitor, BrowserContext>()
    after(async () => {
      for (const context of contexts.values()) await context.close()
      await world?.stop()
    })

    test('the sign-in page is one reply of at most 30 kB', async () => {
      const context = await world.open('nobody', { viewport: phone })
      const page = await context.newPage()
      const replies: Response[] = []
      page.on('response', (reply) => replies.push(reply))
      await page.goto(`${world.home}/login`, { waitUntil: 'networkidle' })
      const sizes = await Promise.all(replies.map((reply) => reply.request().sizes()))
      const total = sizes.reduce((sum, one) => sum + one.responseBodySize + one.responseHeadersSize, 0)
      assert.deepEqual(
        replies.map((reply) => new URL(reply.url()).pathname),
        ['/login'],
      )
      assert.ok(total <= 30_000, `${total} bytes`)
      await context.close()
    })

    async function open(who: Visitor): Promise<Page> {
      const look = { viewport: sizes[lang][0] ?? phone, locale: lang, reducedMotion: 'reduce' } as const
      const known = who === 'somebody' ? undefined : contexts.get(who)
      const context = known ?? (await world.open(who, look))
      if (!known) await context.addInitScript(watch)
      contexts.set(who, context)
      return context.newPage()
    }

    for (const listed of pagesList) {
      test(listed.name, async () => {
        const page = await open(listed.as ?? 'nobody')
        try {
          await check(page, listed)
        } finally {
          await page.close()
        }
      })
    }
    test('no page is missing from the list', () => {
      const pages = declaredRoutes(world.app)
        .filter(({ method, rule }) => method === 'GET' && rule.hidden)
        .map(({ url }) => url)
      assert.deepEqual(
        pages.filter((path) => ![...opened].some((one) => isAt(path, one))),
        ['/auth/verify/for*', '/metrics', '/openapi.json', '/logo', '/dev/inbox.json'],
      )
    })

    async function check(page: Page, { path, leadsTo, act, lang: pageLang }: ListedPage): Promise<void> {
      const outside: string[] = []
      const failures: string[] = []
      page.on('request', (request) => {
        if (request.isNavigationRequest()) opened.add(new URL(request.url()).pathname)
        if (!request.url().startsWith(`${world.home}/`) && !request.url().startsWith('data:'))
          outside.push(request.url())
      })
      page.on('pageerror', (error) => failures.push(error.message))
      const address = new URL(typeof path === 'string' ? path : await path(world), world.home)
      await page.goto(address.href)
      assert.equal(new URL(page.url()).pathname, leadsTo ?? address.pathname)
      await act?.(page, world)
      assert.equal(await page.getAttribute('html', 'lang'), pageLang ?? lang)
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      const seen = await page.evaluate<{ shift: number; blocked: string[] }>('seen')
      assert.deepEqual({ ...seen, outside, failures }, { shift: 0, blocked: [], outside: [], failures: [] })
      await page.evaluate(axe)
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

/** Whether the path belongs to the route, whose segments can be parameters such as `:slug`. */
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
