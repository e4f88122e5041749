import { isOwnPath, linkTarget, type PageContext, renderPage } from './render.ts'
import { type PageTexts, textsFor } from './texts/index.ts'

export interface ErrorPage {
  status: number
  requestId: string
  /** Seconds after which it makes sense to try again. */
  retryAfter?: number | undefined
  /** The address that was opened, when opening it again may help. */
  again?: string | undefined
  /** Where people go who are lost: their account, or the front end. */
  home: string
}

export function errorPage({ status, requestId, ...data }: ErrorPage, page: PageContext): string {
  const texts = textsFor(page.lang).errors
  const title = status === 404 ? texts.notFoundTitle : texts.title
  const mayHelp = status === 429 || status >= 500
  const again = mayHelp && data.again && isOwnPath(data.again) ? data.again : undefined
  const links = [
    ...(again ? [{ href: again, label: texts.again }] : []),
    { href: linkTarget(data.home), label: texts.home },
  ]
  const view = { status, requestId, texts, title, sentence: sentenceFor(status, data.retryAfter, texts), links }
  return renderPage({ template: 'error', title, shape: 'card', data: view }, page)
}

function sentenceFor(status: number, retryAfter: number | undefined, texts: PageTexts['errors']): string {
  if (status === 429 && retryAfter !== undefined) return texts.limitedFor(Math.ceil(retryAfter / 60))
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
