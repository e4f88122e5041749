import { type AccountArea, renderAccountLayout } from '../../../../ui/account/layout.ts'
import { onDay } from '../../../../ui/account/when.ts'
import { personalDataPath } from '../../../../ui/paths.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import type { PrivacyHistoryRoute } from '../../schemas.ts'
import type { PrivacyChoices } from '../overview/view.ts'
import { privacyPaths } from '../schemas.ts'
import { type PrivacyTexts, privacyTextsFor } from '../texts.ts'

export type PrivacyDecision = ResponseOf<typeof PrivacyHistoryRoute>['data']['events'][number]

export interface HistoryPage {
  area: AccountArea
  decisions: PrivacyDecision[]
  /** The page number, starting at 1. */
  number: number
  hasMore: boolean
  timeZone: string | null
}

export function historyPage({ area, decisions, number, hasMore, timeZone }: HistoryPage, page: PageContext): string {
  const privacy = privacyTextsFor(page.lang)
  const texts = privacy.history
  return renderAccountLayout(
    area,
    {
      template: new URL('./history.eta', import.meta.url),
      title: texts.title,
      data: {
        texts,
        decisions: decisions.map(({ event, source, created_at, ...what }) => ({
          title: texts.events[event],
          what: whatOf(event, what, privacy),
          about: `${onDay(page.lang, created_at, timeZone)}, ${texts.sources[source]}`,
        })),
        newer: number > 1 && `${privacyPaths.history}?page=${number - 1}`,
        older: hasMore && `${privacyPaths.history}?page=${number + 1}`,
        back: personalDataPath,
      },
    },
    page,
  )
}

function whatOf(
  event: PrivacyDecision['event'],
  { new_value, version }: Pick<PrivacyDecision, 'new_value' | 'version'>,
  texts: PrivacyTexts,
) {
  if (event === 'region_changed') return texts.region.names[new_value as PrivacyChoices['privacy_region']] ?? ''
  return version ? fill(texts.history.version, { version }) : ''
}
