import type { InboxMessage } from '../../src/adapters/inbox/inbox.ts'
import type { Reply, TestApp } from '../support/test-app.ts'
import { tagsOf } from './all-pages.ts'

/** A browser without scripts that keeps cookies and submits forms with the page's fields. */
export interface Visitor {
  open(path: string): Promise<Reply>
  /** Fills in and submits the form on the current page that posts to this path. */
  send(action: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Reply>
  cookie(): string
}

export const flowVisitor = (app: TestApp, usual: Record<string, string> = {}): Visitor =>
  visitor(app, usual, { showsFlow: true })

/** Removes sign-in flow ids from the responses because most tests do not need them. `showsFlow` keeps them. */
export function visitor(app: TestApp, usual: Record<string, string> = {}, { showsFlow = false } = {}): Visitor {
  const cookies = new Map<string, string>()
  let last = ''
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  async function ask(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Reply> {
    const own = { accept: 'text/html', cookie: cookie(), 'sec-fetch-site': 'same-origin', origin: 'null' }
    const sent = { ...own, ...usual, ...headers }
    const reply = await app.call(method, path, { headers: sent, ...(body !== undefined && { body }) })
    for (const [name, { value }] of Object.entries(reply.cookies)) {
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    last = reply.text
    const { location } = reply.headers
    if (location !== undefined && !showsFlow) reply.headers.location = withoutFlow(String(location))
    return reply
  }
  return {
    cookie,
    open: (path) => ask('GET', path, {}),
    send: (action, fields = {}, headers = {}) => {
      const target = showsFlow ? action : actionIn(last, action)
      const form = new URLSearchParams({ ...hiddenFields(last, target), ...fields })
      return ask('POST', target, { 'content-type': 'application/x-www-form-urlencoded', ...headers }, `${form}`)
    },
  }
}

const withoutFlow = (address: string): string =>
  address.replace(/([?&])flow=[\w-]{12}(&|$)/, (_all, before, after) => (after ? before : ''))

/** The form's action, including its sign-in flow id. */
const actionIn = (html: string, action: string): string =>
  new RegExp(`action="(${action.replaceAll('?', '\\?')}[?&]flow=[\\w-]{12})"`).exec(html)?.[1] ?? action

/** The path and query of the link in an email. */
export function linkIn({ text }: InboxMessage): string {
  const { pathname, search } = new URL(/https?:\/\/\S+token=[\w-]+/.exec(text)?.[0] ?? 'none:')
  return `${pathname}${search}`
}

/** The email with the password reset link. The address may have received other emails before. */
export async function resetMail(app: TestApp, email: string): Promise<InboxMessage> {
  for (let count = 0; ; count++) {
    const mail = await app.mailTo(email, count)
    if (/\/reset-password\?(flow=[\w-]+&)?token=/.test(mail.text)) return mail
  }
}

/** The hidden inputs of the form that posts to this path. */
export function hiddenFields(html: string, action: string): Record<string, string> {
  const [, form = ''] = html.split(`action="${action}">`)
  const inputs = tagsOf(form.split('</form>')[0] ?? '').filter(({ attributes }) => attributes.type === 'hidden')
  return Object.fromEntries(inputs.map(({ attributes }) => [attributes.name ?? '', attributes.value ?? '']))
}

/** The link with which the user leaves a page of new recovery codes. */
export const nextIn = (html: string): string | undefined =>
  /<div class="actions no-print"><a class="button" href="(.*?)"/.exec(html)?.[1]
