import type { PageContext } from '../../../shared/render.ts'
import { wordsFor } from '../../../shared/words-for.ts'
import { fill, type PageLanguage, textsFor } from '../../../texts/index.ts'
import { type Area, renderArea, wordsOf } from '../../shared/area.ts'
import type { FormOutcome } from '../../shared/member.ts'
import { deletePath, personalDataPath } from '../paths.ts'

export interface DeletePage extends FormOutcome {
  area: Area
  email: string
  form: string
}

export function deletePage({ area, email, form, done, problem }: DeletePage, page: PageContext): string {
  const { account, personalData } = textsFor(page.lang)
  return renderArea(
    area,
    {
      template: new URL('./delete.eta', import.meta.url),
      title: personalData.deletion.title,
      done: wordsOf(account.done, done),
      data: {
        now: deleteNow(page.lang, email, form),
        problem: wordsFor(page.lang, problem, personalData.refusals),
      },
    },
    page,
  )
}

export function deleteNow(lang: PageLanguage, email: string, form: string) {
  const texts = textsFor(lang).personalData.deletion
  return { texts, path: deletePath, form, confirm: fill(texts.confirm, { email }), back: personalDataPath }
}
