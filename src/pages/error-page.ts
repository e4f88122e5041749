import { type PageContext, renderPage } from './render.ts'
import { type PageTexts, textsFor } from './texts/index.ts'

export interface ErrorPage {
  status: number
  requestId: string
}

export function errorPage(data: ErrorPage, page: PageContext): string {
  const texts = textsFor(page.lang).errors
  const title = data.status === 404 ? texts.notFoundTitle : texts.title
  const sentence = texts[sentences[data.status] ?? (data.status < 500 ? 'invalid' : 'internal')]
  return renderPage({ template: 'error', title, shape: 'card', data: { ...data, texts, title, sentence } }, page)
}

const sentences: Record<number, keyof PageTexts['errors']> = {
  401: 'forbidden',
  403: 'forbidden',
  404: 'notFound',
  405: 'method',
  413: 'tooLarge',
  429: 'limited',
  503: 'unavailable',
}
