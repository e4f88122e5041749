import { readAccent, secureLink } from '../../../../applications/read-appearance.ts'
import type { Appearance, Context } from '../../../../context.ts'
import { AppError, type FieldProblem } from '../../../../lib/errors.ts'
import { readPresent } from '../../../../lib/read-all.ts'
import type { PageLanguage } from '../../../../ui/texts/index.ts'
import { type Scheme, signInPreview } from '../../settings/brand/preview.ts'
import type { ShownApplication } from '../paths.ts'
import type { TypedAppearance } from './view.ts'

type Preview = { html: string } | { problems: readonly FieldProblem[] }

/** The sign-in page with entries that are not stored, and with the stored logo. */
export async function appearancePreview(
  ctx: Context,
  application: ShownApplication,
  typed: TypedAppearance,
  { lang, scheme }: { lang: PageLanguage; scheme: Scheme },
): Promise<Preview> {
  await ctx.applications.whenCurrent()
  const stored = ctx.applications.latest().ofKey(application.key)?.appearance
  try {
    const entries = readPresent((read) => ({
      accent: read(typed.accent || null, readAccent),
      termsUrl: read(typed.terms_url || null, (text) => secureLink('terms_url', text)),
      privacyUrl: read(typed.privacy_url || null, (text) => secureLink('privacy_url', text)),
    }))
    const { accent = null, termsUrl = null, privacyUrl = null } = entries
    const appearance: Appearance = { name: application.name, logo: stored?.logo ?? null, accent, termsUrl, privacyUrl }
    const look = { settings: ctx.config, application: { id: application.id, appearance } }
    return { html: signInPreview(ctx, look, lang, scheme) }
  } catch (error) {
    if (error instanceof AppError && error.details) return { problems: error.details }
    throw error
  }
}
