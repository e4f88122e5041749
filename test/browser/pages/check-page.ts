import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { PageLanguage } from '../../../src/ui/texts/index.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Size = Readonly<{ width: number; height: number }>

const phone: Size = { width: 360, height: 740 }
const desk: Size = { width: 1280, height: 800 }
/** Each page is opened and checked at the first size, then resized to the second size and checked again. */
export const sizes: Record<PageLanguage, readonly [Size, Size]> = { en: [phone, desk], es: [desk, phone] }

/**
 * axe's WCAG 2.2 AA rules and its best practices. They run once per page and language, in light mode at the first size.
 * Almost all of them check elements and attributes, which are the same at both sizes and in both colour schemes. The
 * exception are elements that a media query hides. Because the languages start with different sizes, all rules check
 * the elements that are visible at each size.
 */
const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * The rules that also run in dark mode at the second size.
 *
 * The first two depend on colours and on which elements are visible, but not on the language. Light mode is checked at
 * 360 px in English and at 1280 px in Spanish, and dark mode vice versa, so each scheme is checked at each size.
 *
 * The others depend on the layout, and therefore on the length of the texts. They run at both sizes in each language.
 */
const appearanceRules = {
  type: 'rule',
  values: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'],
}

/**
 * A tenth of the total that Web Vitals calls good. Smaller shifts, of a line by a few pixels, occur once in several
 * hundred pages on a busy machine.
 */
const tolerance = 0.01

/**
 * Records layout shifts and policy violations from the start of loading. Shifts after an input are expected, for example
 * when a menu opens. The browser marks only those within half a second, which a busy machine exceeds. Defines a function
 * that loads axe: sending axe to the browser for each page, or loading it on pages that are only passed through, takes
 * longer.
 */
export const initScript = `
  window.loadAxe = () => {
${axe}
  }
  window.seen = { shifts: [], blocked: [] }
  let inputAt = Infinity
  for (const type of ['pointerdown', 'keydown'])
    addEventListener(type, () => { inputAt = Math.min(inputAt, performance.now()) }, { capture: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (!entry.hadRecentInput && entry.startTime < inputAt && entry.value > ${tolerance})
        seen.shifts.push(entry.value + ': ' + entry.sources.map(describe).join())
  function describe({ node, previousRect: from, currentRect: to }) {
    const path = []
    for (let one = node; one; one = one.parentElement) path.unshift(one.id || one.className || one.nodeName)
    return path.join(' > ') + ' from ' + JSON.stringify(from) + ' to ' + JSON.stringify(to)
  }
  }).observe({ type: 'layout-shift', buffered: true })
  document.addEventListener('securitypolicyviolation', (event) => seen.blocked.push(event.violatedDirective))
`

/** Requests to other hosts and errors in scripts. */
export interface Trouble {
  outside: string[]
  failures: string[]
}

/** Checks the page that has just loaded at the first size in light mode. */
export async function checkPage(page: Page, lang: PageLanguage, trouble: Trouble): Promise<void> {
  const [first, second] = sizes[lang]
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  assert.deepEqual({ ...(await seen(page)), ...trouble }, { shifts: [], blocked: [], outside: [], failures: [] })
  await checkWidth(page, first)
  await page.evaluate('loadAxe()')
  assert.deepEqual(await violations(page, allRules), [], `${first.width} px, light`)

  await page.setViewportSize(second)
  await page.emulateMedia({ colorScheme: 'dark' })
  await checkWidth(page, second)
  assert.deepEqual(await violations(page, appearanceRules), [], `${second.width} px, dark`)
  // Style sheets can request resources that depend on the size and the colour scheme.
  const { blocked } = await seen(page)
  assert.deepEqual({ blocked, ...trouble }, { blocked: [], outside: [], failures: [] })
}

const seen = (page: Page) => page.evaluate<{ shifts: string[]; blocked: string[] }>('seen')

/** Checks that nothing is wider than the window, also when the page is mirrored. */
async function checkWidth(page: Page, { width }: Size): Promise<void> {
  const measured = await page.evaluate<{ width: number; fits: boolean; fitsMirrored: boolean }>(`(() => {
    const root = document.documentElement
    const fits = () => root.scrollWidth <= innerWidth
    const dir = root.getAttribute('dir')
    const result = { width: innerWidth, fits: fits() }
    root.setAttribute('dir', 'rtl')
    result.fitsMirrored = fits()
    if (dir === null) root.removeAttribute('dir')
    else root.setAttribute('dir', dir)
    return result
  })()`)
  const message = `something is wider than ${width} px`
  assert.deepEqual(measured, { width, fits: true, fitsMirrored: true }, message)
}

async function violations(page: Page, runOnly: unknown): Promise<string[]> {
  const found = await page.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(
    `axe.run(document, { iframes: false, resultTypes: ['violations'], runOnly: ${JSON.stringify(runOnly)} })
      .then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}
