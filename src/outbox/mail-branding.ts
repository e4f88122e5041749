import { isWordMark, logoAddress } from '../config/branding.ts'
import type { Config } from '../config/load.ts'
import { type HexColour, inkOn, readableOn } from '../lib/colour.ts'

export interface MailBranding {
  logo: { src: string; width: number; height: number; saysName: boolean } | undefined
  light: Button
  dark: Button
  /** How the recipient can contact the operator: a URL, an email address, or both. */
  contacts: readonly { shown: string; href: string }[]
}

interface Button {
  background: HexColour
  ink: HexColour
}

/** The background colours in layout.eta. The button colour must contrast with them. */
const papers = { light: ['#f5f7f5', '#ffffff'], dark: ['#0f1311', '#161b18'] }

export const defaultBranding: MailBranding = {
  logo: undefined,
  contacts: [],
  light: { background: '#17614c', ink: '#ffffff' },
  dark: { background: '#6fcfb0', ink: '#06231a' },
}

type Settings = Pick<Config, 'APP_ACCENT' | 'APP_LOGO' | 'PUBLIC_URL'> &
  Partial<Pick<Config, 'SUPPORT_URL' | 'SUPPORT_EMAIL'>>

const looks = new WeakMap<Settings, MailBranding>()

/** The result is cached because it depends only on the settings. */
export function mailBrandingOf(settings: Settings): MailBranding {
  const look = looks.get(settings) ?? createLook(settings)
  looks.set(settings, look)
  return look
}

const createLook = ({ APP_ACCENT: accent, ...settings }: Settings): MailBranding => ({
  logo: logoOf(settings),
  contacts: contactsOf(settings),
  light: accent === undefined ? defaultBranding.light : button(readableOn(papers.light, accent, '#000000')),
  dark: accent === undefined ? defaultBranding.dark : button(readableOn(papers.dark, accent, '#ffffff')),
})

const contactsOf = ({ SUPPORT_URL: url, SUPPORT_EMAIL: email }: Omit<Settings, 'APP_ACCENT'>) => [
  ...(url === undefined ? [] : [{ shown: url, href: url }]),
  ...(email === undefined ? [] : [{ shown: email, href: `mailto:${email}` }]),
]

const button = (background: HexColour): Button => ({ background, ink: inkOn(background) })

const height = 32

/** Most email programs do not support SVG, so the name is shown instead of an SVG logo. */
function logoOf({ APP_LOGO: logo, PUBLIC_URL }: Omit<Settings, 'APP_ACCENT'>): MailBranding['logo'] {
  if (!logo || logo.type === 'image/svg+xml') return undefined
  const width = Math.round((height * logo.width) / logo.height)
  return { src: PUBLIC_URL + logoAddress(logo), width, height, saysName: isWordMark(logo) }
}

/** Many email programs ignore style sheets, so each element has a style attribute. */
export const stylesOf = ({ light: { background, ink } }: MailBranding) => ({
  paragraph: 'margin: 0 0 16px;',
  buttonParagraph: 'margin: 24px 0 8px;',
  button:
    `display: inline-block; padding: 11px 20px; background: ${background}; color: ${ink}; border-radius: 9px; ` +
    'font-weight: 600; text-align: center; text-decoration: none;',
  muted: 'margin: 0 0 24px; color: #56615b; font-size: 13px; word-break: break-all;',
  code:
    "margin: 0 0 16px; font: 600 28px/1.3 ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace; " +
    'letter-spacing: 0.15em;',
  heading: 'margin: 0 0 16px; line-height: 1.3;',
  quote: 'margin: 0 0 16px; padding-inline-start: 16px; border-inline-start: 3px solid #dde2de;',
  rule: 'margin: 24px 0; border: 0; border-top: 1px solid #dde2de;',
})

export type MailStyles = ReturnType<typeof stylesOf>
