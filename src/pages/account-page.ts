import { type PageContext, renderPage } from './render.ts'
import { textsFor } from './texts/index.ts'

export interface AccountPage {
  user: { name: string; email: string }
  /** The signed value of the form that signs out. */
  logoutForm: string
}

/** Where people arrive that have signed in. */
export function accountPage(data: AccountPage, page: PageContext): string {
  const texts = textsFor(page.lang).account
  return renderPage({ template: 'account', title: texts.title, shape: 'card', data: { ...data, texts } }, page)
}
