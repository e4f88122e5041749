import type { ErrorCode } from '../../../lib/errors.ts'
import { isOwnPath, linkTarget, type PageContext, renderPage } from '../../shared/render.ts'
import { fillPlural, type PageLanguage, textsFor } from '../../texts/index.ts'

export interface ErrorPage {
  status: number
  code?: ErrorCode
  requestId: string
  /** In seconds. */
  retryAfter?: number | undefined
  /** The requested URL, if a retry may succeed. */
  again?: string | undefined
  /** The URL of the account page or the front end. */
  home: string
  /** The path of the console, if the requested path is below it. */
  console?: string | undefined
}

export function errorPage({ status, code, requestId, ...data }: ErrorPage, page: PageContext): string {
  const texts = textsFor(page.lang).errors
  // Visitors who see NOT_CONFIGURED are usually signing in, and a link to the account would redirect them back here.
  const isUnavailable = code === 'NOT_CONFIGURED'
  const title = isUnavailable ? texts.notConfiguredTitle : status === 404 ? texts.notFoundTitle : texts.title
  const mayHelp = (status === 429 || status >= 500) && !isUnavailable
  const again = mayHelp && data.again && isOwnPath(data.again) ? data.again : undefined
  const links = [
    ...(again ? [{ href: again, label: texts.again }] : []),
    ...(data.console && status === 404 ? [{ href: data.console, label: texts.console }] : []),
    isUnavailable ? { href: '/login', label: texts.signIn } : { href: linkTarget(data.home), label: texts.home },
  ]
  // Only someone who has proved control of the account gets this code.
  const isBlocked = code === 'ACCOUNT_BLOCKED'
  const sentence = isUnavailable ? texts.notConfigured : sentenceFor(status, data.retryAfter, page.lang, isBlocked)
  const view = { status: isUnavailable ? undefined : status, requestId, texts, title, sentence, links }
  return renderPage({ template: new URL('./error.eta', import.meta.url), title, shape: 'card', data: view }, page)
}

function sentenceFor(status: number, retryAfter: number | undefined, lang: PageLanguage, isBlocked: boolean): string {
  const { errors: texts, rejections } = textsFor(lang)
  if (isBlocked) return rejections.ACCOUNT_BLOCKED
  if (status === 429 && retryAfter !== undefined) return fillPlural(lang, texts.limitedFor, Math.ceil(retryAfter / 60))
  return texts[sentences[status] ?? (status < 500 ? 'invalid' : 'internal')]
}

type Sentence = 'forbidden' | 'notFound' | 'method' | 'tooLarge' | 'limited' | 'unavailable' | 'invalid' | 'internal'

const sentences: Record<number, Sentence> = {
  401: 'forbidden',
  403: 'forbidden',
  404: 'notFound',
  405: 'method',
  413: 'tooLarge',
  429: 'limited',
  503: 'unavailable',
}
