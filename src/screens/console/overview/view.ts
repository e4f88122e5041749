import type { OverviewRoute } from '../../../admin/overview-schemas.ts'
import { ago } from '../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../ui/console/layout.ts'
import { roleName, roleRights } from '../../../ui/console/roles.ts'
import { adminTextsFor } from '../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../ui/shared/api-route.ts'
import type { PageContext } from '../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../ui/texts/index.ts'
import { applicationPath, applicationsPath } from '../applications/paths.ts'
import { type ChecklistStep, checklistData } from './checklist.ts'
import { plotOf } from './plot.ts'

export const shownRanges = ['24h', '30d', '12m'] as const

type ShownFigures = ResponseOf<typeof OverviewRoute>['data']

export interface ConsoleOverview {
  area: AdminArea
  viewer: { name: string; role: string }
  checklist?: ChecklistStep[] | undefined
  figures: ShownFigures
  failingWebhooks?: number
  range: (typeof shownRanges)[number]
  now: number
  done?: string | undefined
}

export function consoleOverviewPage(data: ConsoleOverview, page: PageContext): string {
  const { area, viewer, checklist, figures, range, now } = data
  const { lang } = page
  const { overview: texts } = adminTextsFor(lang)
  const { counted_at: countedAt, measured_at: measuredAt } = figures
  return renderAdminLayout(
    area,
    {
      template: new URL('./overview.eta', import.meta.url),
      styles: ['overview.css'],
      title: texts.title,
      done: data.done === 'set-up' ? texts.setUp : undefined,
      data: {
        texts,
        tiles: tilesOf(figures, lang),
        checklist: checklist && checklistData(lang, checklist),
        measured: isMeasured(figures)
          ? fill(texts.measured, { ago: ago(lang, measuredAt ?? '', now) })
          : texts.notMeasured,
        attention: attentionRows(data, page),
        ranges: shownRanges.map((name) => ({
          path: name === '30d' ? area.path : `${area.path}?range=${name}`,
          label: texts.ranges[name],
          isCurrent: name === range,
        })),
        applications: figures.applications.map(({ application_id, name, sign_ins }) => ({
          name,
          figure: new Intl.NumberFormat(lang).format(sign_ins),
          path: area.entries.some(({ path }) => path === applicationsPath)
            ? applicationPath(application_id)
            : undefined,
        })),
        counted: countedAt ? fill(texts.counted, { ago: ago(lang, countedAt, now) }) : texts.notCounted,
        plots: [
          plotOf(figures, ['new_people'], { id: 'people', title: texts.newUsers }, lang),
          plotOf(figures, ['sign_ins', 'failures'], { id: 'sign-ins', title: texts.signIns }, lang),
        ],
        signedInAs: fill(texts.signedInAs, { name: viewer.name, role: roleName(lang, viewer.role, area.roles) }),
        rights: roleRights(lang, viewer.role, area.roles),
      },
    },
    page,
  )
}

/** The viewer has a session, so a count of zero sessions must be older than the first sign-in. */
const isMeasured = ({ measured_at, live_sessions }: ShownFigures): boolean =>
  measured_at !== null && live_sessions !== 0

function tilesOf(figures: ShownFigures, lang: string) {
  const { people, waiting_messages } = figures
  const { live_sessions, second_factor_people } = isMeasured(figures)
    ? figures
    : { live_sessions: null, second_factor_people: null }
  const { tiles } = adminTextsFor(lang).overview
  const number = new Intl.NumberFormat(lang)
  const percent = new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 1 })
  const share = second_factor_people === null || people === 0 ? null : Math.min(1, second_factor_people / people)
  return [
    { label: tiles.people, figure: number.format(people), path: '/admin/people' },
    { label: tiles.sessions, figure: live_sessions === null ? '–' : number.format(live_sessions) },
    { label: tiles.secondFactor, figure: share === null ? '–' : percent.format(share) },
    { label: tiles.waiting, figure: number.format(waiting_messages) },
  ]
}

/** The links that are shown to only one role. */
const attentionRoles: Readonly<Record<string, string>> = { one_superadmin: 'superadmin' }

const attentionLinks: Readonly<Record<string, string>> = {
  failed_messages: '/admin/messages?state=failed',
  late_messages: '/admin/messages?state=queued',
  pending_deletions: '/admin/people?deleted=true',
  unsealed_events: '/admin/audit',
  one_superadmin: '/admin/people/new',
  failing_webhooks: '/admin/webhooks',
}

/** Omits links to pages that the viewer's role may not open. */
function attentionRows({ area, viewer, figures, failingWebhooks = 0, now }: ConsoleOverview, { lang }: PageContext) {
  const { attention: texts } = adminTextsFor(lang).overview
  const webhooks = { code: 'failing_webhooks', count: failingWebhooks, since: null }
  const rows = failingWebhooks > 0 ? [...figures.attention, webhooks] : figures.attention
  return rows.flatMap(({ code, count, since }) => {
    if (!Object.hasOwn(texts, code)) return []
    const text = fillPlural(lang, texts[code as keyof typeof texts], count)
    const path = attentionLinks[code]
    const isAllowed = (attentionRoles[code] ?? viewer.role) === viewer.role
    const isSeen = path !== undefined && isAllowed && area.entries.some((entry) => isWithin(path, entry.path))
    return [{ text: fill(text, { ago: since ? ago(lang, since, now) : '' }), path: isSeen ? path : undefined }]
  })
}

const isWithin = (path: string, section: string): boolean => {
  const [page = ''] = path.split('?')
  return page === section || (section !== '/admin' && page.startsWith(`${section}/`))
}
