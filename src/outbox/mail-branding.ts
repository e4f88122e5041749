import { isWordMark, logoAddress } from '../config/branding.ts'
import type { Config } from '../config/load.ts'
import { type HexColour, inkOn, readableOn } from '../lib/colour.ts'

export interface MailBranding {
  logo: { src: string; width: number; height: number; saysName: boolean } | undefined
  light: Button
  dark: Button
}

interface Button {
  background: HexColour
  ink: HexColour
}

/** The background colours in layout.eta. The button must contrast with them. */
const papers = { light: ['#f5f7f5', '#ffffff'], dark: ['#0f1311', '#161b18'] }

export const defaultBranding: MailBranding = {
  logo: undefined,
  light: { background: '#17614c', ink: '#ffffff' },
  dark: { background: '#6fcfb0', ink: '#06231a' },
}

type Settings = Pick<Config, 'APP_ACCENT' | 'APP_LOGO' | 'PUBLIC_URL'>

const looks = new WeakMap<Settings, MailBranding>()

/** The result is cached, because it depends only on the settings. */
export function mailBrandingOf(settings: Settings): MailBranding {
  const look = looks.get(settings) ?? createLook(settings)
  looks.set(settings, look)
  return look
}

const createLook = ({ APP_ACCENT: accent, ...settings }: Settings): MailBranding => ({
  logo: logoOf(settings),
  light: accent === undefined ? defaultBranding.light : button(readableOn(papers.light, accent, '#000000')),
  dark: accent === undefined ? defaultBranding.dark : button(readableOn(papers.dark, accent, '#ffffff')),
})

const button = (background: HexColour): Button => ({ background, ink: inkOn(background) })

const height = 32

/** Most email programs do not support SVG, so the name is shown instead. */
function logoOf({ APP_LOGO: logo, PUBLIC_URL }: Omit<Settings, 'APP_ACCENT'>): MailBranding['logo'] {
  if (!logo || logo.type === 'image/svg+xml') return undefined
  const width = Math.round((height * logo.width) / logo.height)
  return { src: PUBLIC_URL + logoAddress(logo), width, height, saysName: isWordMark(logo) }
}
