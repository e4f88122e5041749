import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { headOf } from '../page-head.ts'
import { appearancePath, type ShownApplication } from '../paths.ts'
import { applicationProblems } from '../problems.ts'

export interface TypedAppearance {
  accent?: string
  terms_url?: string
  privacy_url?: string
}

export interface AppearancePage {
  area: AdminArea
  application: ShownApplication
  forms: { save: string; logo: string }
  isSaved?: boolean
  typed?: TypedAppearance
  rejection?: ApiRejection
}

const names = ['accent', 'terms_url', 'privacy_url'] as const

export function appearancePage(data: AppearancePage, page: PageContext): string {
  const { area, application, forms, typed, rejection } = data
  const { lang } = page
  const { appearance: texts, optional } = adminTextsFor(lang).applications
  const { top, fields } = applicationProblems(lang, rejection)
  const stored = Object.fromEntries(names.map((name) => [name, application[name] ?? '']))
  return renderAdminLayout(
    area,
    {
      template: new URL('./appearance.eta', import.meta.url),
      ...headOf(application, texts),
      styles: ['previews.css'],
      scripts: ['unsaved.js'],
      done: data.isSaved ? texts.saved : undefined,
      problem: rejection?.code === 'PAYLOAD_TOO_LARGE' ? texts.tooLarge : top,
      data: {
        texts: { ...texts, optional },
        path: appearancePath(application.id),
        forms,
        expected: application.updated_at,
        draft: typed ? 'draft' : '',
        typed: typed ?? stored,
        problems: fields,
        hints: savedHints(data, lang),
        picture: shownLogo(application),
      },
    },
    page,
  )
}

/** After a conflict: what another administrator has saved. */
function savedHints({ application, typed, rejection }: AppearancePage, lang: string): Record<string, string> {
  const { current, emptyValue } = adminTextsFor(lang).applications
  if (rejection?.code !== 'EDIT_CONFLICT' || !typed) return {}
  const differing = names.filter((name) => (typed[name] ?? '') !== (application[name] ?? ''))
  return Object.fromEntries(differing.map((name) => [name, fill(current, { value: application[name] ?? emptyValue })]))
}

const height = 32

/** As on the pages, and with a path, because the policy of the page allows pictures of this service only. */
function shownLogo({ logo }: ShownApplication) {
  if (!logo) return undefined
  const { pathname, search } = new URL(logo.url)
  return { src: pathname + search, height, width: Math.round((height * logo.width) / logo.height) }
}
