import { createClient, type SessionStore, type WardenryClient } from '../../../packages/client/src/index.ts'
import { freePort } from '../../support/free-port.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'

/** The service on a loopback port, for programs and browsers. */
export async function startService(env: Record<string, string> = {}): Promise<{ app: TestApp; url: string }> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const app = await startTestApp({ env: { PUBLIC_URL: url, ...env }, modules: ['two-factor'] })
  await app.http.listen({ host: '127.0.0.1', port })
  return { app, url }
}

export interface Kept extends SessionStore {
  token: string | undefined
}

export function storeOf(token?: string): Kept {
  const store: Kept = {
    token,
    get: () => store.token,
    set: (value) => {
      store.token = value
    },
    remove: () => {
      store.token = undefined
    },
  }
  return store
}

export function clientOf(url: string, store = storeOf()): { client: WardenryClient; store: Kept } {
  return { client: createClient({ url, session: store }), store }
}
