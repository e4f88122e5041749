import { readFileSync } from 'node:fs'
import { applicationLogoPath, isWordMark, type LogoImage, logoAddress } from '../../config/branding.ts'
import type { Config } from '../../config/load.ts'
import type { Appearance, Application } from '../../context.ts'
import { type HexColour, inkOn, mixed, readableOn } from '../../lib/colour.ts'

export interface PageTheme {
  /** The CSS appended to the common stylesheet. */
  css: string
  icon: string
  logo: { src: string; width: number; height: number; saysName: boolean } | undefined
  /** The name of the application whose look it is. Undefined: the installation's name. */
  name?: string | undefined
  termsUrl: string | undefined
  privacyUrl: string | undefined
  supportUrl: string | undefined
  supportEmail: string | undefined
}

type Settings = Pick<Config, 'APP_ACCENT' | 'APP_LOGO' | 'APP_TERMS_URL' | 'APP_PRIVACY_URL'> &
  Partial<Pick<Config, 'SUPPORT_URL' | 'SUPPORT_EMAIL'>>

type Owner = Pick<Application, 'id' | 'appearance'>

const themes = new WeakMap<Settings, PageTheme>()
const themesOfApplications = new WeakMap<Settings, WeakMap<Appearance, PageTheme>>()

/**
 * The result is cached because it depends only on the settings and on what the application's page replaces. The node
 * reads the applications again when they change, so a changed appearance is another object.
 */
export function themeOf(settings: Settings, application?: Owner): PageTheme {
  if (!application?.appearance) return cached(themes, settings, () => createTheme(lookOf(settings)))
  const { id, appearance } = application
  const own = cached(themesOfApplications, settings, () => new WeakMap<Appearance, PageTheme>())
  return cached(own, appearance, () => createTheme(lookFor(id, appearance, lookOf(settings))))
}

function cached<Key extends object, Value>(map: WeakMap<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create()
  map.set(key, value)
  return value
}

type Look = Omit<PageTheme, 'css' | 'icon'> & { accent: HexColour | undefined }

const lookOf = (settings: Settings): Look => ({
  accent: settings.APP_ACCENT,
  logo: settings.APP_LOGO && placed(settings.APP_LOGO, logoAddress(settings.APP_LOGO)),
  name: undefined,
  termsUrl: settings.APP_TERMS_URL,
  privacyUrl: settings.APP_PRIVACY_URL,
  supportUrl: settings.SUPPORT_URL,
  supportEmail: settings.SUPPORT_EMAIL,
})

/** The name belongs to the logo: without one of its own, the pages show the logo and the name of the installation. */
function lookFor(id: string, { name, accent, logo, ...urls }: Appearance, look: Look): Look {
  const isNamed = logo !== null || (accent !== null && look.logo === undefined)
  return {
    ...look,
    accent: accent ?? look.accent,
    logo: logo ? placed(logo, applicationLogoPath(id, logo)) : look.logo,
    name: isNamed ? name : undefined,
    termsUrl: urls.termsUrl ?? look.termsUrl,
    privacyUrl: urls.privacyUrl ?? look.privacyUrl,
  }
}

function createTheme({ accent, logo, ...look }: Look): PageTheme {
  const colours = accent === undefined ? undefined : { light: accents(accent, light), dark: accents(accent, dark) }
  const css = colours
    ? `:root{${rules(colours.light)}}@media (prefers-color-scheme:dark){:root{${rules(colours.dark)}}}`
    : ''
  return { ...look, css, icon: logo && !logo.saysName ? logo.src : iconIn(colours?.light), logo }
}

const height = 32

function placed(logo: Pick<LogoImage, 'width' | 'height'>, src: string): NonNullable<PageTheme['logo']> {
  const width = Math.round((height * logo.width) / logo.height)
  return { src, width, height, saysName: isWordMark(logo) }
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
