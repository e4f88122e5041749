import { fieldTexts, formSettings } from './form-texts.ts'
import { type PageContext, renderPage } from './render.ts'
import { textsFor } from './texts/index.ts'

export interface ResetPage {
  /** Of the mailed link; the script takes it out of the address bar. Without it the page asks for a link. */
  token?: string | undefined
  minPasswordLength: number
}

/** Where people without their password come to: first to ask for a link, then with it. */
export function resetPage(data: ResetPage, page: PageContext): string {
  const { request, choose, ...common } = textsFor(page.lang).reset
  const texts = data.token ? choose : request
  const words = { sending: texts.sending, INVALID_TOKEN: common.used, WEAK_PASSWORD: common.weak }
  const settings = {
    endpoint: data.token ? '/auth/password-reset/complete' : '/auth/password-reset/request',
    ...formSettings(page.lang, data.minPasswordLength, words),
  }
  const fields = fieldTexts(page.lang, data.minPasswordLength)
  const sentence = texts.sentence(page.appName)
  return renderPage(
    {
      template: 'reset',
      title: texts.title,
      shape: 'card',
      scripts: ['form.js'],
      settings,
      data: { ...data, texts: { ...common, ...texts, sentence }, fields },
    },
    page,
  )
}
