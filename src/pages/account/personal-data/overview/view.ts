import { problemText } from '../../../shared/problem-text.ts'
import type { PageContext } from '../../../shared/render.ts'
import { textsFor } from '../../../texts/index.ts'
import { type AccountArea, renderArea, wordsOf } from '../../shared/area.ts'
import type { FormOutcome } from '../../shared/member.ts'
import { deletePath, personalDataDownloadPath } from '../schemas.ts'

export interface PersonalDataPage extends FormOutcome {
  area: AccountArea
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
        problem: problemText(page.lang, problem, texts.refusals),
        copy: { texts: texts.data, path: personalDataDownloadPath, form: download },
        deletion: { texts: texts.deletion, path: deletePath },
      },
    },
    page,
  )
}
