import type { Browser, Page } from 'playwright-core'
import { findProgram, isProgram } from './find-program.ts'

export const noChromium = 'no Chromium found; install chromium or set CHROMIUM_BIN'

/** For a test's `skip` option: the reason, or false if Chromium is installed. */
export const skipWithoutChromium = (): string | false => (findChromium() ? false : noChromium)

/** The path of the system's Chromium or Chrome. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_BIN
  if (named) return isProgram(named) ? named : undefined
  return findProgram(names) ?? findProgram(...onMac)
}

// Without a user interface and user profiles, opening a page in a new context takes a sixth of the CPU time.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const onMac: [string[], string[]] = [
  ['Chromium', 'Google Chrome'],
  ['/Applications/Chromium.app/Contents/MacOS', '/Applications/Google Chrome.app/Contents/MacOS'],
]

/**
 * Starts a headless browser. The test must close it. By default, Playwright disables first-run steps, sync, component
 * updates and background requests. The sandbox is disabled because root cannot use it. The browser opens only the
 * test's pages.
 */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error(noChromium)
  const { chromium } = await import('playwright-core')
  return chromium.launch({ executablePath, args: ['--disable-gpu', '--disable-quic', ...more] })
}

interface VirtualAuthenticator {
  storedIds(): Promise<string[]>
  /** The device is lost. */
  remove(): Promise<void>
  /** The names that the browser shows for its passkeys. */
  storedNames(): Promise<string[]>
  /** From now on, responses say that nobody was present or verified. */
  denyUser(): Promise<void>
}

/**
 * Adds a virtual authenticator to the page's browser. The authenticator stores passkeys and reports its user as present
 * and verified.
 */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const stored = async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    storedIds: async () => (await stored()).map(({ credentialId }) => credentialId),
    storedNames: async () => (await stored()).map(({ userDisplayName, userName }) => `${userDisplayName} ${userName}`),
    denyUser: async () => {
      await devtools.send('WebAuthn.setResponseOverrideBits', { authenticatorId, isBadUP: true, isBadUV: true })
    },
    remove: async () => {
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}

/** Matches this URL with any sign-in flow id. */
export const atPage =
  (address: string) =>
  (url: URL): boolean => {
    const here = new URL(url)
    here.searchParams.delete('flow')
    return here.href === address
  }

/**
 * Waits until an expression is true in the page, and returns its value. Polls from this process because the page's
 * content security policy may block polling in the page.
 */
export async function becomesTrue<Value>(page: Page, expression: string): Promise<Value> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const value = await page.evaluate<Value>(expression)
    if (value) return value
    if (Date.now() > deadline) throw new Error(`not true in the page within 10 s: ${expression}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
