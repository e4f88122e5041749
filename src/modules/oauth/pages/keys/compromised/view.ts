import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { compromisedKeysPath, type ShownSigningKey, signingKeysPath } from '../../paths.ts'
import { oauthProblems } from '../../problems.ts'
import { oauthTextsFor } from '../../texts.ts'
import { algChoices } from '../list/view.ts'

export interface CompromisedKeysPage {
  area: AdminArea
  keys: readonly ShownSigningKey[]
  form: string
  alg?: string | undefined
  rejection?: ApiRejection | undefined
}

/** Tells what happens before it happens. */
export function compromisedKeysPage(data: CompromisedKeysPage, page: PageContext): string {
  const { area, keys, form, alg, rejection } = data
  const { keys: texts } = oauthTextsFor(page.lang)
  const { top, fields } = oauthProblems(page.lang, rejection, ['alg'])
  return renderAdminLayout(
    area,
    {
      template: new URL('./compromised.eta', import.meta.url),
      title: texts.compromisedTitle,
      lead: texts.compromisedLead,
      parent: { path: signingKeysPath, label: texts.title },
      problem: fields.alg ?? top,
      data: {
        ...{ texts, form, alg, action: compromisedKeysPath, back: signingKeysPath },
        ...{ algs: algChoices(page.lang, keys), cancel: adminTextsFor(page.lang).shared.cancel },
      },
    },
    page,
  )
}
