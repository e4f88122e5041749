import { hiddenFields } from '../../../screens/support.ts'
import type { SignedIn } from '../../../support/people.ts'
import type { Reply, TestApp } from '../../../support/test-app.ts'

/** A browser with cookies, either with this user's session or without a session. */
export function browserOf(app: TestApp, person?: SignedIn) {
  const cookies = new Map(person ? [['session_id', person.sessionToken]] : [])
  let last = ''
  async function ask(method: string, path: string, more: Record<string, string> = {}, body?: string): Promise<Reply> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const own = { accept: 'text/html', 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) }
    const reply = await app.call(method, path, { headers: { ...own, ...more }, ...(body !== undefined && { body }) })
    for (const [name, { value }] of Object.entries(reply.cookies)) cookies.set(name, value)
    last = reply.text
    return reply
  }
  return {
    /** Sends a request as a script on one of the service's pages would. */
    call: (method: string, path: string, body: unknown) =>
      ask(method, path, { accept: 'application/json', 'content-type': 'application/json' }, JSON.stringify(body)),
    open: (path: string, headers: Record<string, string> = {}) => ask('GET', path, headers),
    /** Submits the form on the last page that posts to this path. */
    send: (action: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
      // A page can contain a search form with the same path, so the method is also compared.
      const [, ...forms] = last.split('method="post"')
      const own = forms.find((one) => one.startsWith(` action="${action}">`)) ?? ''
      const form = new URLSearchParams({ ...hiddenFields(own, action), ...fields })
      return ask('POST', action, { 'content-type': 'application/x-www-form-urlencoded', ...headers }, `${form}`)
    },
  }
}
