import type { Browser } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { freePort } from './free-port.ts'
import type { TestApp } from './test-app.ts'

export interface Site {
  app: TestApp
  /** The application's URL, without a slash at the end. */
  home: string
  browser: Browser
}

/** Starts an application on a free port, and a browser. The test must stop the one and close the other. */
export async function openSite(start: (home: string) => Promise<TestApp>): Promise<Site> {
  const port = await freePort()
  const home = `http://localhost:${port}`
  const app = await start(home)
  try {
    await app.http.listen({ host: '127.0.0.1', port })
    return { app, home, browser: await openBrowser() }
  } catch (error) {
    await app.stop()
    throw error
  }
}
