import { createPrivateKey } from 'node:crypto'
import { isLoopbackUrl } from '../lib/address.ts'
import { list, optionalText, type Setting, SettingProblem } from './kinds.ts'

type App<Prefix extends string> = Record<`${Prefix}_CLIENT_ID` | `${Prefix}_CLIENT_SECRET`, Setting<string | undefined>>

export const oauthApp = <const Prefix extends string>(prefix: Prefix, name: string): App<Prefix> =>
  ({
    [`${prefix}_CLIENT_ID`]: optionalText(`client id for sign-in with ${name}`),
    [`${prefix}_CLIENT_SECRET`]: optionalText(`client secret for sign-in with ${name}`, { secret: true }),
  }) as App<Prefix>

export const extraClientIds = (name: string): Setting<string[]> =>
  list(`your mobile apps' client ids at ${name}`, (item) =>
    /^[\x21-\x7e]{1,255}$/.test(item) ? item : new SettingProblem(`"${item}" is not a client id`),
  )

/** Plain HTTP is allowed only for loopback addresses, for use in tests. */
export const issuer = (meaning: string, shown: string): Setting<string | undefined> => ({
  ...optionalText(meaning, { shown }),
  type: 'URL',
  read: (text) => {
    const url = URL.parse(text)
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackUrl(url))
    const isPlain = isSafe && !url.username && !url.search && !url.hash
    return isPlain ? text : new SettingProblem('must be an https URL without query; http is for loopback addresses')
  },
})

export const hosts = (meaning: string): Setting<string[]> =>
  list(
    meaning,
    (item) =>
      URL.parse(`https://${item}/`)?.host === item
        ? item
        : new SettingProblem(`"${item}" is not a host such as id.example.com`),
    'hosts',
  )

/** A PKCS #8 key as issued by Apple. Line breaks may be written as \n. */
export const applePrivateKey = (meaning: string): Setting<string | undefined> => ({
  ...optionalText(meaning, { secret: true }),
  read: (text) => {
    const pem = text.replaceAll('\\n', '\n')
    try {
      if (createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1') return pem
    } catch {
      // The error contains no details, because the value is secret.
    }
    return new SettingProblem('must be the key of the .p8 file, from -----BEGIN PRIVATE KEY----- to its end')
  },
})
