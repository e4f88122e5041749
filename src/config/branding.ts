import { readFileSync } from 'node:fs'
import { sha256 } from '../lib/hash.ts'
import { type Setting, SettingProblem } from './kinds.ts'
import { maxSide, rasterSize, type Size } from './raster-size.ts'
import { plainSvg } from './svg/plain-svg.ts'

export interface LogoImage {
  type: 'image/svg+xml' | 'image/png' | 'image/webp'
  bytes: Buffer
  width: number
  height: number
}

/** The version in the URL changes with the image, so browsers can cache the image indefinitely. */
export const logoAddress = (logo: LogoImage): string => `/logo?v=${logoVersion(logo)}`
export const logoVersion = (logo: LogoImage): string => sha256(logo.bytes.toString('base64')).slice(0, 12)

/** The address of a logo of an application. */
export const applicationLogoPath = (id: string, { version }: { version: string }): string =>
  `/logo?${new URLSearchParams({ application: id, v: version })}`

/** A wide logo is assumed to contain the service name, so pages omit the name. */
export const isWordMark = ({ width, height }: Pick<LogoImage, 'width' | 'height'>): boolean => width / height > 2

const maxBytes = 256 * 1024

/** A stored picture is a base64 data URL. Its media type is ignored because the type is detected from the content. */
const pictureIn = (text: string): Buffer =>
  Buffer.from(/^data:[^,]*;base64,([A-Za-z0-9+/]+=*)$/.exec(text)?.[1] ?? '', 'base64')

export const storedPicture = (bytes: Buffer): string => `data:;base64,${bytes.toString('base64')}`

export const logo = (meaning: string): Setting<LogoImage | undefined> => ({
  read: readLogo,
  readStored: (text) => readPicture(pictureIn(text)),
  fallback: undefined,
  type: 'file: SVG, PNG or WebP, ≤ 256 kB',
  shownDefault: 'none',
  meaning,
  secret: false,
  aliases: [],
})

export const colour = (meaning: string): Setting<string | undefined> => ({
  read: (text) =>
    /^#([0-9a-f]{3}){1,2}$/i.test(text) ? sixDigits(text) : new SettingProblem('must be a colour such as #17614c'),
  fallback: undefined,
  type: '#rrggbb',
  shownDefault: '#17614c',
  meaning,
  secret: false,
  aliases: [],
})

/** Default ignorable characters have no width. U+2800 is a blank Braille pattern. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A name that is shown in emails and on pages, and must not look like another name or reorder the text around it. */
export const publicName = (fallback: string, max: number, meaning: string): Setting<string> => {
  const read = (value: string) => {
    const name = value.normalize('NFC').trim()
    const isVisible = /^[\p{L}\p{N}\p{P}\p{S}]/u.test(name) && name.isWellFormed() && !invisible.test(value)
    return isVisible && name.length <= max
      ? name
      : new SettingProblem(
          `must be 1 to ${max} visible characters, without control, direction or zero-width characters`,
        )
  }
  return { read, fallback, type: 'text', shownDefault: fallback, meaning, secret: false, aliases: [] }
}

const sixDigits = (text: string): string =>
  (text.length === 4 ? text.replace(/[0-9a-f]/gi, (digit) => digit + digit) : text).toLowerCase()

function readLogo(path: string): LogoImage | SettingProblem {
  const bytes = contentOf(path)
  return bytes === undefined ? new SettingProblem(`names a file that cannot be read: ${path}`) : readPicture(bytes)
}

function readPicture(bytes: Buffer): LogoImage | SettingProblem {
  if (bytes.length > maxBytes)
    return new SettingProblem(`names a file of ${Math.ceil(bytes.length / 1024)} kB: at most 256`)
  if (bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') return raster('image/png', bytes)
  if (bytes.toString('latin1', 8, 12) === 'WEBP') return raster('image/webp', bytes)
  if (!/^\s*(<\?xml|<!--|<!doctype svg|<(\w+:)?svg)/i.test(bytes.toString('utf8')))
    return new SettingProblem('must be an SVG, PNG or WebP picture')
  const plain = plainSvg(bytes)
  if ('problem' in plain) return new SettingProblem(`names an SVG with ${plain.problem}, which is not accepted`)
  return sized('image/svg+xml', Buffer.from(plain.text), sizeOfSvg(plain.text))
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

const raster = (type: 'image/png' | 'image/webp', bytes: Buffer) => sized(type, bytes, rasterSize(type, bytes))

/** Units of the SVG. Pages scale the logo, so only a number that layout cannot handle is refused. */
const maxSvgSide = 100_000

// Pages need the size to reserve space while the logo loads.
function sized(type: LogoImage['type'], bytes: Buffer, [width, height]: Size | [] = []) {
  if (!width || !height) return new SettingProblem('names a picture without dimensions')
  const max = type === 'image/svg+xml' ? maxSvgSide : maxSide
  if (Math.max(width, height) > max) return new SettingProblem(`names a picture with more than ${max} pixels on a side`)
  return { type, bytes, width, height }
}

function sizeOfSvg(text: string): Size {
  const [tag = ''] = /<svg\b[^>]*>/i.exec(text) ?? []
  const box = /\bviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(tag)
  if (box) return [Number(box[1]), Number(box[2])]
  const side = (name: string) => Number(new RegExp(`\\s${name}\\s*=\\s*["']([\\d.]+)(px)?["']`).exec(tag)?.[1])
  return [side('width'), side('height')]
}

export const isLogo = (value: unknown): value is LogoImage =>
  typeof value === 'object' && value !== null && 'bytes' in value && 'width' in value
