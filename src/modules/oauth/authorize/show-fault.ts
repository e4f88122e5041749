import { noticePage } from '../../../ui/messages/notice/view.ts'
import type { PageContext } from '../../../ui/shared/render.ts'
import { fill } from '../../../ui/texts/index.ts'
import { oauthTextsFor } from '../pages/texts.ts'
import type { PageFault } from './read-request.ts'

/** `over`: another browser began the request, or it has ended. */
export function faultPage(fault: PageFault | 'over', page: PageContext): string {
  const { authorize: texts } = oauthTextsFor(page.lang)
  const { title, message, operator }: { title: string; message: string; operator?: string } = texts.faults[fault]
  const hint = operator === undefined ? {} : { operator: { text: operator, values: {} } }
  return noticePage({ kind: 'error', title, message, links: [{ href: '/', label: texts.home }], ...hint }, page)
}

/** `backTo` sends the user back to the client, which learns that the access was denied. */
export function notAllowedPage({ name, backTo }: { name: string; backTo: string }, page: PageContext): string {
  const { authorize: texts } = oauthTextsFor(page.lang)
  const { title, message } = texts.notAllowed
  const links = [{ href: backTo, label: fill(texts.back, { name }) }]
  return noticePage({ kind: 'error', title: fill(title, { name }), message: fill(message, { name }), links }, page)
}
