import type { Config } from '../../../../config/load.ts'
import type { Application, Context } from '../../../../context.ts'
import { rulesOf } from '../../../../http/responses/sign-in-rules.ts'
import { sampleValues } from '../../../../outbox/built-in-source.ts'
import { mailBrandingOf } from '../../../../outbox/mail-branding.ts'
import { renderMessage } from '../../../../outbox/render-message.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import { accentsOf, themeOf } from '../../../../ui/shared/theme.ts'
import { fill, type PageLanguage } from '../../../../ui/texts/index.ts'
import { loginPage } from '../../../sign-in/login/view.ts'
import { acceptsLoginLinks, registrationPathOf } from '../../../sign-in/sign-in-options.ts'
import type { TypedSettings } from '../chapter/changes.ts'

export const brandFields = ['APP_NAME', 'APP_ACCENT', 'APP_TERMS_URL', 'APP_PRIVACY_URL'] as const

export type Scheme = 'light' | 'dark'

/** Returns the settings with the entered values, without storing them. `ignored` maps invalid settings to problems. */
export function typedBrand(ctx: Context, typed: TypedSettings) {
  const values = brandFields.map((name) => ({ name, value: typed[name] || null }))
  const { config, ignored } = ctx.settings.apply(values)
  const { APP_NAME, APP_ACCENT, APP_TERMS_URL, APP_PRIVACY_URL } = config
  return { settings: { ...ctx.config, APP_NAME, APP_ACCENT, APP_TERMS_URL, APP_PRIVACY_URL }, ignored }
}

interface PreviewedLook {
  settings: Config
  /** Without one, the page is that of the installation. */
  application?: Pick<Application, 'id' | 'appearance'>
}

/** Renders the sign-in page in one colour scheme, without scripts and with inert controls. */
export function signInPreview(
  ctx: Context,
  { settings, application }: PreviewedLook,
  lang: PageLanguage,
  scheme: Scheme,
): string {
  const theme = themeOf(settings, application)
  const page = {
    appName: settings.APP_NAME,
    lang,
    nonce: '',
    publicUrl: settings.PUBLIC_URL,
    theme,
  }
  const ways = {
    passkey: undefined,
    byMail: acceptsLoginLinks(settings),
    password: settings.PASSWORDS_ENABLED,
    registerPath: registrationPathOf({ config: settings, mailer: ctx.mailer }, rulesOf([])),
    providers: [],
  }
  const html = loginPage({ formToken: '', ways, next: '/' }, page)
  return withoutScripts(html)
    .replaceAll(/@media \(prefers-color-scheme: ?dark\)/g, scheme === 'dark' ? '@media all' : '@media not all')
    .replace('content="light dark"', `content="${scheme}"`)
    .replace(/<body ([^>]*)>/, (_tag, attributes) => `<body inert ${attributes}>`)
}

/** Also removes the icon, because the preview's headers forbid its data URL. */
const withoutScripts = (html: string): string =>
  html.replaceAll(/<script[\s\S]*?<\/script>/g, '').replace(/<link rel="icon"[^>]*>/, '')

export function mailPreview(settings: Config, lang: PageLanguage, theme: Scheme): string {
  const look = { branding: mailBrandingOf(settings), theme }
  return renderMessage('verify_email', lang, sampleValues('verify_email', settings), look).html
}

/** Names the colours that pages use where the accent colour has too little contrast. */
export function accentNoteOf(lang: PageLanguage, { settings, ignored }: ReturnType<typeof typedBrand>): string {
  const accent = settings.APP_ACCENT
  if (accent === undefined || ignored.has('APP_ACCENT')) return ''
  const { brand: texts } = adminTextsFor(lang)
  return (['light', 'dark'] as const)
    .map((scheme) => ({ scheme, used: accentsOf(accent)[scheme] }))
    .filter(({ used }) => used !== accent)
    .map(({ scheme, used }) => fill(texts.adjusted[scheme], { colour: accent, used }))
    .join(' ')
}
