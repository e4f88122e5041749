import { hour } from '../../../src/lib/time.ts'
import { freePort } from '../../support/free-port.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { type OAuthAdmin, oauthAdmin, oauthEnv, oauthModules } from './support.ts'

export interface LiveService {
  app: TestApp
  admin: OAuthAdmin
  /** PUBLIC_URL, on loopback. */
  issuer: string
  /** Replaces the signing key as planned: publishes the next key, and lets it sign after `meanwhile`. */
  rotate(meanwhile: () => Promise<void>): Promise<void>
  /** Removes the signing key. */
  replaceCompromised(): Promise<void>
}

/**
 * A service that listens, for programs with a clock of their own. Unless no key is rotated, its clock is an hour late until the
 * first rotation, so that tokens from before and after the rotation are valid by the clocks of these programs.
 */
export async function startLiveService({ rotates = true } = {}): Promise<LiveService> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  let offset = rotates ? -hour : 0
  const clock = { now: () => Date.now() + offset, advance: (milliseconds: number) => (offset += milliseconds) }
  const app = await startTestApp({ modules: oauthModules, env: { ...oauthEnv, PUBLIC_URL: issuer }, clock })
  await app.http.listen({ host: '127.0.0.1', port })
  const admin = await oauthAdmin(app)
  const rotateKeys = async (body: object = {}) => {
    const reply = await admin.call('POST', '/auth/admin/oauth/keys/rotate', body)
    if (reply.status !== 200) throw new Error(reply.text)
  }
  return {
    app,
    admin,
    issuer,
    async rotate(meanwhile) {
      await rotateKeys()
      clock.advance(hour)
      await meanwhile()
      await rotateKeys()
    },
    replaceCompromised: () => rotateKeys({ compromised: true }),
  }
}
