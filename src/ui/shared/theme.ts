import { readFileSync } from 'node:fs'
import { isWordMark, type LogoImage, logoAddress } from '../../config/branding.ts'
import type { Config } from '../../config/load.ts'
import { type HexColour, inkOn, mixed, readableOn } from '../../lib/colour.ts'

export interface PageTheme {
  /** The CSS appended to the common stylesheet. */
  css: string
  icon: string
  logo: { src: string; width: number; height: number; saysName: boolean } | undefined
  termsUrl: string | undefined
  privacyUrl: string | undefined
  supportUrl: string | undefined
  supportEmail: string | undefined
}

type Settings = Pick<Config, 'APP_ACCENT' | 'APP_LOGO' | 'APP_TERMS_URL' | 'APP_PRIVACY_URL'> &
  Partial<Pick<Config, 'SUPPORT_URL' | 'SUPPORT_EMAIL'>>

const themes = new WeakMap<Settings, PageTheme>()

/** The result is cached because it depends only on the settings. */
export function themeOf(settings: Settings): PageTheme {
  const theme = themes.get(settings) ?? createTheme(settings)
  themes.set(settings, theme)
  return theme
}

function createTheme(settings: Settings): PageTheme {
  const { APP_ACCENT: accent, APP_LOGO, APP_TERMS_URL: termsUrl, APP_PRIVACY_URL: privacyUrl } = settings
  const { SUPPORT_URL: supportUrl, SUPPORT_EMAIL: supportEmail } = settings
  const logo = APP_LOGO && placed(APP_LOGO)
  const colours = accent === undefined ? undefined : { light: accents(accent, light), dark: accents(accent, dark) }
  const css = colours
    ? `:root{${rules(colours.light)}}@media (prefers-color-scheme:dark){:root{${rules(colours.dark)}}}`
    : ''
  return {
    css,
    icon: logo && !logo.saysName ? logo.src : iconIn(colours?.light),
    logo,
    termsUrl,
    privacyUrl,
    supportUrl,
    supportEmail,
  }
}

const height = 32

function placed(logo: LogoImage): NonNullable<PageTheme['logo']> {
  const width = Math.round((height * logo.width) / logo.height)
  return { src: logoAddress(logo), width, height, saysName: isWordMark(logo) }
}

const css = readFileSync(asset('pages.css'), 'utf8')
const [lightRules = '', darkRules = ''] = css.split('@media (prefers-color-scheme: dark)')

interface Scheme {
  colours: Record<string, HexColour>
  /** The colour that is mixed into the accent if the accent's contrast is too low. */
  strongest: HexColour
}

const light: Scheme = { colours: coloursIn(lightRules), strongest: '#000000' }
const dark: Scheme = { colours: coloursIn(darkRules), strongest: '#ffffff' }

/** Returns one colour scheme's accent and derived colours, with sufficient contrast. */
function accents(wanted: HexColour, { colours, strongest }: Scheme): Record<string, HexColour> {
  const { soft, backgrounds } = backgroundsOf(wanted, colours)
  const accent = readableOn(backgrounds, wanted, strongest)
  const strong = mixed(accent, strongest, 0.25)
  return { accent, 'accent-strong': strong, 'accent-soft': soft, 'on-accent': inkOn(accent) }
}

function backgroundsOf(wanted: HexColour, colours: Scheme['colours']) {
  const { paper = '', surface = '', code = '', 'note-soft': note = '' } = colours
  const soft = mixed(surface, wanted, 0.12)
  return { soft, backgrounds: [paper, surface, code, note, soft] }
}

/** The accent to use in each colour scheme. */
export const accentsOf = (wanted: HexColour | undefined) => ({
  light: accentIn(wanted, light),
  dark: accentIn(wanted, dark),
})

const accentIn = (wanted: HexColour | undefined, { colours, strongest }: Scheme): HexColour =>
  wanted === undefined
    ? (colours.accent ?? '')
    : readableOn(backgroundsOf(wanted, colours).backgrounds, wanted, strongest)

const rules = (colours: Record<string, HexColour>): string =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')

function iconIn(colours: Record<string, HexColour> | undefined): string {
  const mark = readFileSync(asset('favicon.svg'), 'utf8')
  const drawn = colours
    ? mark.replace('#17614c', colours.accent ?? '').replace('#fff', colours['on-accent'] ?? '')
    : mark
  return `data:image/svg+xml;base64,${Buffer.from(drawn).toString('base64')}`
}

function coloursIn(text: string): Record<string, HexColour> {
  return Object.fromEntries([...text.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1], match[2]]))
}

function asset(name: string): URL {
  return new URL(`../assets/${name}`, import.meta.url)
}
