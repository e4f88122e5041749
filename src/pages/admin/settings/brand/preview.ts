import type { Config } from '../../../../config/load.ts'
import type { Context } from '../../../../context.ts'
import { contrast, type HexColour } from '../../../../lib/colour.ts'
import { sampleValues } from '../../../../outbox/built-in-source.ts'
import { mailBrandingOf } from '../../../../outbox/mail-branding.ts'
import { renderMessage } from '../../../../outbox/render-message.ts'
import { accentsOf, themeOf } from '../../../shared/theme.ts'
import { loginPage } from '../../../sign-in/login/view.ts'
import { acceptsLoginLinks, acceptsRegistrations } from '../../../sign-in/sign-in-options.ts'
import { fill, type PageLanguage } from '../../../texts/index.ts'
import { adminTextsFor } from '../../texts/index.ts'
import type { TypedSettings } from '../chapter/changes.ts'

export const brandFields = ['APP_NAME', 'APP_ACCENT', 'APP_TERMS_URL', 'APP_PRIVACY_URL'] as const

export type Scheme = 'light' | 'dark'

/** The settings with the typed values, which are not stored. Values that are not valid are named in `ignored`. */
export function typedBrand(ctx: Context, typed: TypedSettings) {
  const values = brandFields.map((name) => ({ name, value: typed[name] || null }))
  const { config, ignored } = ctx.settings.apply(values)
  const { APP_NAME, APP_ACCENT, APP_TERMS_URL, APP_PRIVACY_URL } = config
  return { settings: { ...ctx.config, APP_NAME, APP_ACCENT, APP_TERMS_URL, APP_PRIVACY_URL }, ignored }
}

/** The sign-in page in one colour scheme, without scripts. Nothing in it can be used. */
export function signInPreview(settings: Config, lang: PageLanguage, scheme: Scheme): string {
  const page = {
    appName: settings.APP_NAME,
    lang,
    nonce: '',
    publicUrl: settings.PUBLIC_URL,
    theme: themeOf(settings),
  }
  const ways = {
    button: undefined,
    byMail: acceptsLoginLinks(settings),
    register: acceptsRegistrations(settings),
    providers: [],
  }
  const html = loginPage({ formToken: '', ways, next: '/' }, page)
  // The sentences contain only texts of the catalogue and colours that have been checked.
  const notes = contrastProblems(lang, settings.APP_ACCENT, [scheme]).map(
    (one) => `<p class="notice warning">${one}</p>`,
  )
  return withoutScripts(html)
    .replaceAll(/@media \(prefers-color-scheme: ?dark\)/g, scheme === 'dark' ? '@media all' : '@media not all')
    .replace('content="light dark"', `content="${scheme}"`)
    .replace(/<body ([^>]*)>/, (_tag, attributes) => `<body inert ${attributes}>${notes.join('')}`)
}

/** The headers of the preview also forbid the icon, because it is a data URL. */
const withoutScripts = (html: string): string =>
  html.replaceAll(/<script[\s\S]*?<\/script>/g, '').replace(/<link rel="icon"[^>]*>/, '')

export function mailPreview(settings: Config, lang: PageLanguage, theme: Scheme): string {
  const look = { branding: mailBrandingOf(settings), theme }
  return renderMessage('verify_email', lang, sampleValues('verify_email', settings), look).html
}

/** Sentences about colour schemes in which the accent colour is too close to the background. */
export function contrastProblems(
  lang: PageLanguage,
  accent: HexColour | undefined,
  schemes: readonly Scheme[] = ['light', 'dark'],
): string[] {
  if (accent === undefined) return []
  const { brand: texts } = adminTextsFor(lang)
  const number = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 })
  return schemes.flatMap((scheme) => {
    const { used, lowest } = accentsOf(accent)[scheme]
    if (used === accent) return []
    return [fill(texts.contrast[scheme], { colour: accent, used, ratio: number.format(contrast(accent, lowest)) })]
  })
}
