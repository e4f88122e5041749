import type { Browser } from 'playwright-core'
import { becomesTrue, findChromium, openBrowser } from '../../test/support/browser.ts'
import { freePort } from '../../test/support/free-port.ts'
import { median, rounded } from '../numbers.ts'
import type { Stage } from '../stage.ts'

const visits = 20
const slowdown = 4

/** In milliseconds, from the end of the load event of `/login` until the page asks the browser for a passkey. */
export interface AutofillFigures {
  median: number
  max: number
}

/** Null without Chromium. The service and the browser share the cores, and the browser's CPU is slowed down. */
export async function measureAutofill(stage: Stage): Promise<AutofillFigures | null> {
  if (!findChromium()) return null
  const port = String(await freePort())
  // Browsers support passkeys without TLS only on localhost.
  const local = { NODE_ENV: 'development', PORT: port, PUBLIC_URL: `http://localhost:${port}` }
  const service = await stage.startService(local, 'all')
  const browser = await openBrowser()
  try {
    await delayOf(browser, local.PUBLIC_URL)
    const delays: number[] = []
    for (let visit = 0; visit < visits; visit++) delays.push(await delayOf(browser, local.PUBLIC_URL))
    return { median: rounded(median(delays), 0), max: rounded(Math.max(...delays), 0) }
  } finally {
    await browser.close()
    await service.stop()
  }
}

async function delayOf(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.addInitScript(noteTime)
    await page.goto(`${address}/login`)
    return await becomesTrue<number>(page, `window.askedAt && askedAt - ${loadEnd}`)
  } finally {
    await context.close()
  }
}

const loadEnd = "performance.getEntriesByType('navigation')[0].loadEventEnd"

const noteTime = `
  const { get } = CredentialsContainer.prototype
  CredentialsContainer.prototype.get = function (options) {
    window.askedAt ??= performance.now()
    return get.call(this, options)
  }
`
