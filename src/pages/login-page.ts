import { type NoticeKey, notice } from './notice-page.ts'
import { type PageContext, renderPage } from './render.ts'
import { textsFor } from './texts/index.ts'

export interface LoginPage {
  /** What has just happened elsewhere, such as `verified` for `?verification=success`. */
  notice?: NoticeKey
}

export function loginPage(data: LoginPage, page: PageContext): string {
  const texts = textsFor(page.lang).login
  const happened = data.notice && notice(data.notice, page.lang)
  return renderPage({ template: 'login', title: texts.title, shape: 'card', data: { texts, happened } }, page)
}
