import type { StoredApplication } from '../../src/applications/application-set.ts'
import { signedInAs, withSession } from '../support/people.ts'
import type { TestApp } from '../support/test-app.ts'

/** An application as it is stored. */
export const storedApplication = (
  key: string,
  returnAddresses: readonly string[],
  more: Partial<StoredApplication> & { origins?: readonly string[] } = {},
): StoredApplication => {
  const { origins = [], ...members } = more
  return {
    id: `id of ${key}`,
    key,
    isEnabled: true,
    isDevelopment: false,
    secrets: [],
    accepts: [],
    signInMethods: [],
    registration: true,
    addresses: [
      ...returnAddresses.map((address) => ({ kind: 'return' as const, address })),
      ...origins.map((address) => ({ kind: 'origin' as const, address })),
    ],
    ...members,
  }
}

export const base = '/auth/admin/applications'

export type Superadmin = Awaited<ReturnType<typeof superadminOf>>

/** A superadmin who calls the routes for applications. */
export async function superadminOf(app: TestApp) {
  const superadmin = await signedInAs(app, 'superadmin')
  const call = (method: string, path = '', body?: unknown) =>
    app.call(method, base + path, { body, ...withSession(superadmin.sessionToken) })
  return {
    ...superadmin,
    call,
    async create(key: string, input: object = {}) {
      const { status, json } = await call('POST', '', { key, name: key, kind: 'website', ...input })
      if (status !== 200) throw new Error(JSON.stringify(json))
      return json.data as { id: string; updated_at: string }
    },
  }
}

/** A new application, and the routes for its secrets. */
export async function secretsOf({ call, create }: Superadmin, key: string, input: object = {}) {
  const { id } = await create(key, input)
  const own = (method: string, path = '', body?: unknown) => call(method, `/${id}/secrets${path}`, body)
  return {
    id,
    path: `${base}/${id}/secrets`,
    call: own,
    async create(input: object = {}) {
      const { status, json } = await own('POST', '', input)
      if (status !== 200) throw new Error(JSON.stringify(json))
      return json.data as { secret: string; application_secret: { id: string; hint: string } & Record<string, unknown> }
    },
  }
}
