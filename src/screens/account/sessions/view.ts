import { inWords } from '../../../http/access/device.ts'
import type { OwnSessionsRoute } from '../../../profile/session-schemas.ts'
import { type AccountArea, accountText, renderAccountLayout } from '../../../ui/account/layout.ts'
import { ago, atTime } from '../../../ui/account/when.ts'
import type { ResponseOf } from '../../../ui/shared/api-route.ts'
import { type PageProblem, problemText } from '../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../ui/shared/render.ts'
import { fill, type PageTexts, textsFor } from '../../../ui/texts/index.ts'

export type OwnSession = ResponseOf<typeof OwnSessionsRoute>['data']['sessions'][number]

export interface SessionsPage {
  area: AccountArea
  forms: { end: string; endOthers: string }
  sessions: OwnSession[]
  now: number
  timeZone: string | null
  hasPasswords: boolean
  done?: string | undefined
  problem?: PageProblem
}

type Texts = PageTexts['account']['sessions']

export function sessionsPage({ area, forms, sessions, ...data }: SessionsPage, page: PageContext): string {
  const { account } = textsFor(page.lang)
  const texts = account.sessions
  const row = (session: OwnSession) => rowOf(session, texts, page, data)
  const rows = bySignIn(sessions).map(([first, applications]) => ({
    ...row(first),
    applications: applications.map(row),
  }))
  return renderAccountLayout(
    area,
    {
      template: new URL('./sessions.eta', import.meta.url),
      title: texts.title,
      done: accountText(account.done, data.done),
      data: {
        texts,
        sentence: data.hasPasswords ? texts.sentence : texts.sentenceWithoutPasswords,
        forms,
        rows,
        problem: problemText(page.lang, data.problem, texts.rejections),
        hasOthers: sessions.some(({ current }) => !current),
      },
    },
    page,
  )
}

/** The current session comes first. Each session is followed by the application sessions created from it. */
function bySignIn(sessions: OwnSession[]): [first: OwnSession, applications: OwnSession[]][] {
  const isCurrent = ({ current }: OwnSession) => Number(current)
  const isApplication = ({ parentId }: OwnSession) => Number(parentId !== null)
  const families = Map.groupBy(sessions, ({ id, parentId }) => parentId ?? id).values()
  return [...families]
    .map((family) => family.toSorted((one, other) => isApplication(one) - isApplication(other)))
    .toSorted((one, other) => Math.max(...other.map(isCurrent)) - Math.max(...one.map(isCurrent)))
    .flatMap(([first, ...applications]) => (first ? [[first, applications]] : []))
}

function rowOf(
  { id, ipAddress, current, status, application, impersonated, ...session }: OwnSession,
  texts: Texts,
  { lang }: PageContext,
  { now, timeZone }: Pick<SessionsPage, 'now' | 'timeZone'>,
) {
  const device = impersonated ? texts.administrator : deviceOf(session, texts)
  const title = application === null ? device : application.replace(/^https?:\/\/|:$/g, '')
  return {
    id,
    title,
    current,
    address: ipAddress,
    isWaiting: status === 'pending',
    lastUsed: fill(texts.lastUsed, { time: ago(lang, session.lastUsedAt, now) }),
    since: fill(texts.since, { day: atTime(lang, session.createdAt, timeZone) }),
    endLabel: fill(texts.endOf, { device: title, address: ipAddress }),
  }
}

function deviceOf({ userAgent, userDevice }: Pick<OwnSession, 'userAgent' | 'userDevice'>, texts: Texts): string {
  const words = inWords(userAgent)
  const [browser = '', system] = words.split(' on ')
  const shown = system ? fill(texts.device, { browser, system }) : browser
  if (userDevice !== '' && userDevice !== words) return shown ? `${userDevice} (${shown})` : userDevice
  return shown || texts.unknownDevice
}
