import { invalidField } from '../lib/errors.ts'

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text

/** By the first bytes; names and declared types are ignored. */
const kinds: Record<string, (bytes: Buffer) => boolean> = {
  jpeg: (bytes) => startsWith(bytes, '\xff\xd8\xff'),
  png: (bytes) => startsWith(bytes, '\x89PNG\r\n\x1a\n'),
  gif: (bytes) => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a'),
  webp: (bytes) => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8),
}

export function assertPicture(bytes: Buffer, part: string): void {
  if (!Object.values(kinds).some((isKind) => isKind(bytes)))
    throw invalidField(part, 'must be a JPEG, PNG, WebP or GIF picture')
}
