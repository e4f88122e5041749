import { readFileSync } from 'node:fs'
import { sha256 } from '../lib/hash.ts'
import { activePart } from './active-svg.ts'
import { type Setting, SettingProblem } from './kinds.ts'

export interface LogoImage {
  type: 'image/svg+xml' | 'image/png' | 'image/webp'
  bytes: Buffer
  width: number
  height: number
}

/** The version in the URL changes with the image, so browsers can cache the image indefinitely. */
export const logoAddress = (logo: LogoImage): string => `/logo?v=${logoVersion(logo)}`
export const logoVersion = (logo: LogoImage): string => sha256(logo.bytes.toString('base64')).slice(0, 12)

/** A wide logo is assumed to contain the service name, so pages omit the name. */
export const isWordMark = ({ width, height }: LogoImage): boolean => width / height > 2

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

const sixDigits = (text: string): string =>
  (text.length === 4 ? text.replace(/[0-9a-f]/gi, (digit) => digit + digit) : text).toLowerCase()

function readLogo(path: string): LogoImage | SettingProblem {
  const bytes = contentOf(path)
  return bytes === undefined ? new SettingProblem(`names a file that cannot be read: ${path}`) : readPicture(bytes)
}

function readPicture(bytes: Buffer): LogoImage | SettingProblem {
  if (bytes.length > maxBytes)
    return new SettingProblem(`names a file of ${Math.ceil(bytes.length / 1024)} kB: at most 256`)
  if (bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') return sized('image/png', bytes, sizeOfPng(bytes))
  if (bytes.toString('latin1', 8, 12) === 'WEBP') return sized('image/webp', bytes, sizeOfWebp(bytes))
  const text = bytes.toString('utf8')
  if (!/^\s*(<\?xml|<!--|<!doctype svg|<svg)/i.test(text))
    return new SettingProblem('must be an SVG, PNG or WebP picture')
  const active = activePart(text)
  if (active) return new SettingProblem(`names an SVG with ${active}: remove it`)
  return sized('image/svg+xml', bytes, sizeOfSvg(text))
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

type Size = [width: number, height: number] | undefined

const maxSide = 8192

// Pages need the size to reserve space while the logo loads.
function sized(type: LogoImage['type'], bytes: Buffer, [width, height]: NonNullable<Size> | [] = []) {
  if (!width || !height) return new SettingProblem('names a picture without dimensions')
  if (type !== 'image/svg+xml' && Math.max(width, height) > maxSide)
    return new SettingProblem(`names a picture with more than ${maxSide} pixels on a side`)
  return { type, bytes, width, height }
}

const sizeOfPng = (bytes: Buffer): Size =>
  bytes.length < 24 ? undefined : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]

function sizeOfWebp(bytes: Buffer): Size {
  if (bytes.length < 30) return undefined
  const form = bytes.toString('latin1', 12, 16)
  if (form === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
  if (form === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
  const bits = bytes.readUInt32LE(21)
  return form === 'VP8L' ? [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1] : undefined
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
