import { fieldTexts, formSettings } from './form-texts.ts'
import { type PageContext, renderPage } from './render.ts'
import { textsFor } from './texts/index.ts'

export interface SetupPage {
  /** The one-time secret of the address; the script takes it out of the address bar. */
  token: string
  minPasswordLength: number
}

const endpoint = '/auth/setup'

export function setupPage(data: SetupPage, page: PageContext): string {
  const texts = textsFor(page.lang).setup
  const words = { sending: texts.sending, EMAIL_TAKEN: texts.taken, INVALID_TOKEN: texts.used, NOT_FOUND: texts.used }
  const settings = { endpoint, ...formSettings(page.lang, data.minPasswordLength, words) }
  const fields = fieldTexts(page.lang, data.minPasswordLength)
  const sentence = texts.sentence(page.appName)
  const command = curl(page.publicUrl, data.token)
  return renderPage(
    {
      template: 'setup',
      title: texts.title,
      shape: 'card',
      scripts: ['form.js'],
      settings,
      data: { ...data, texts: { ...texts, sentence }, fields, command },
    },
    page,
  )
}

// The command is made to be pasted into a shell, so a token of another form has no place in it.
const curl = (publicUrl: string, token: string): string =>
  [
    `curl ${publicUrl}${endpoint} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify({ token: /^[\w-]{1,200}$/.test(token) ? token : '', email: '', password: '' })}'`,
  ].join('\n')
