import type { PageContext } from '../../../shared/render.ts'
import { wordsFor } from '../../../shared/words-for.ts'
import { textsFor } from '../../../texts/index.ts'
import { type Area, renderArea, wordsOf } from '../../shared/area.ts'
import type { FormOutcome } from '../../shared/member.ts'
import { deletePath, downloadPath } from '../paths.ts'

export interface PersonalDataPage extends FormOutcome {
  area: Area
  download: string
}

export function personalDataPage({ area, download, done, problem }: PersonalDataPage, page: PageContext): string {
  const { account, personalData: texts } = textsFor(page.lang)
  return renderArea(
    area,
    {
      template: new URL('./personal-data.eta', import.meta.url),
      title: texts.title,
      done: wordsOf(account.done, done),
      data: {
        problem: wordsFor(page.lang, problem, texts.refusals),
        copy: { texts: texts.data, path: downloadPath, form: download },
        deletion: { texts: texts.deletion, path: deletePath },
      },
    },
    page,
  )
}
