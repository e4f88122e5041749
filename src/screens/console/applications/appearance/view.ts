import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { shownColour } from '../../settings/brand/view.ts'
import { headOf } from '../page-head.ts'
import { appearancePath, appearancePreviewPath, type ShownApplication } from '../paths.ts'
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
  /** The accent colour of pages without one of their own. */
  accentDefault: string
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
  const shown = typed ?? savedAppearance(application)
  return renderAdminLayout(
    area,
    {
      template: new URL('./appearance.eta', import.meta.url),
      ...headOf(application, texts),
      styles: ['settings.css', 'previews.css'],
      scripts: ['live-preview.js', 'accent.js', 'unsaved.js'],
      done: data.isSaved ? texts.saved : undefined,
      problem: rejection?.code === 'PAYLOAD_TOO_LARGE' ? texts.tooLarge : top,
      data: {
        texts: { ...texts, optional },
        path: appearancePath(application.id),
        forms,
        expected: application.updated_at,
        draft: typed ? 'draft' : '',
        typed: { accent: '', ...shown },
        colour: shownColour(shown.accent ?? '', data.accentDefault),
        previewPath: appearancePreviewPath(application.id),
        problems: fields,
        hints: savedHints(data, lang),
        picture: shownLogo(application),
      },
    },
    page,
  )
}

/** The entries of the form before it is edited. */
export const savedAppearance = ({ accent, terms_url, privacy_url }: ShownApplication) => ({
  accent: accent ?? '',
  terms_url: terms_url ?? '',
  privacy_url: privacy_url ?? '',
})

interface SentAppearance extends TypedAppearance {
  accent_picked?: string
  accent_before?: string
}

/** Without scripts, the colour field and the text field can differ. A changed colour field takes precedence. */
export function withPickedAccent({ accent_picked: picked, accent_before: before, ...sent }: SentAppearance) {
  const { accent, terms_url = '', privacy_url = '' } = sent
  const chosen = picked === undefined || picked === before ? accent : picked
  return { accent: chosen?.trim() ?? '', terms_url: terms_url.trim(), privacy_url: privacy_url.trim() }
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
