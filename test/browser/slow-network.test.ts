import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

/** In milliseconds. Long enough for a browser to display what it has received so far. */
const stallMs = 80

describe('a page whose bytes arrive late', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  before(async () => {
    app = await startTestApp()
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  for (const path of ['/login', '/register', '/register?with=password', '/no/such/page']) {
    test(`${path} moves nothing that was painted, wherever it was cut`, async () => {
      const html = (await app.get(path, { headers: { accept: 'text/html' } })).text
      let cut = 0
      const server = createServer(async (_request, reply) => {
        reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).write(html.slice(0, cut))
        await pause(stallMs)
        reply.end(html.slice(cut))
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
      await context.addInitScript(watch)
      const page = await context.newPage()
      const moved: string[] = []
      try {
        for (cut of elementsOf(html)) {
          await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
          await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
          if ((await page.evaluate<number>('shift')) > 0) moved.push(html.slice(cut, cut + 60))
        }
      } finally {
        await context.close()
        server.close()
      }
      assert.deepEqual(moved, [])
    })
  }
})

/** The positions in the HTML where the body's elements begin. */
const elementsOf = (html: string): number[] =>
  [...html.matchAll(/<[a-z]/g)].map(({ index }) => index).filter((index) => index > html.indexOf('<body'))

const watch = `
  window.shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`
