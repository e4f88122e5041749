import { hasDisguisedSegment } from '../../../lib/client-text.ts'

export const maxAddressLength = 2_048

/** These schemes run code, open files, or show what their address contains. */
const forbiddenScheme = /^(?:javascript|vbscript|data|file|filesystem|blob|about|view-source):/i

/** Browsers remove line breaks and tabs anywhere in a URL, and spaces and control characters at its start. */
const withoutInvisible = (text: string): string => text.replaceAll(/[\s\p{C}]/gu, '')

/** Empty for a text without an authority. */
const authorityIn = (text: string): string => /^[^/?#]*:?\/\/([^/?#]*)/.exec(text)?.[1] ?? ''

const pathIn = (text: string): string => text.split(/[?#]/, 1)[0] ?? ''

const hasDotSegment = (path: string): boolean => /\/\.{1,2}(?:[/;]|$)/.test(path) || hasDisguisedSegment(path)

const rules: readonly (readonly [isBroken: (text: string) => boolean, message: string])[] = [
  [(text) => text === '', 'must not be empty'],
  [(text) => text.length > maxAddressLength, `must have at most ${maxAddressLength} characters`],
  [
    (text) => forbiddenScheme.test(withoutInvisible(text)),
    'must not have a scheme that runs code or opens files, such as javascript',
  ],
  [
    (text) => !/^[\x21-\x7e]+$/.test(text),
    'must contain only ASCII characters, and no spaces or control characters; encode others',
  ],
  [(text) => text.includes('\\'), 'must not contain backslashes'],
  [(text) => text.includes('#'), 'must not have a fragment'],
  [(text) => text.includes('*'), 'must not contain wildcards; list each address'],
  [(text) => authorityIn(text).includes('@'), 'must not contain a user name'],
  [
    (text) => hasDotSegment(pathIn(text)),
    'must not contain the segments . and .., or encoded dots, slashes or control characters in its path',
  ],
  [(text) => /%(?:[01][\da-f]|7f)/i.test(text), 'must not contain encoded control characters'],
]

/** Why a text cannot be the address of a client, whatever the address is for. Undefined if it can be one. */
export function problemOfAddress(text: string): string | undefined {
  const broken = rules.find(([isBroken]) => isBroken(text))
  if (broken) return broken[1]
  const url = URL.parse(text)
  if (!url) return 'must be a URL such as https://app.example.com/callback'
  // Programs that read other spellings, such as http://127.1, may disagree about the host. A missing path is not one.
  const isCanonical = url.href === text || url.href === `${text}/`
  return isCanonical ? undefined : `must be written as ${JSON.stringify(url.href)}`
}
