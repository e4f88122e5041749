import { type Setting, SettingProblem } from './kinds.ts'

export type StorageSettings =
  | { kind: 'off' }
  | { kind: 'local' }
  | { kind: 's3'; endpoint: string; region: string; accessKeyId: string; secretAccessKey: string }

export const storage = (meaning: string): Setting<StorageSettings> => ({
  read: readStorage,
  fallback: { kind: 'local' },
  type: 'local:, s3://key:secret@host/bucket?region=…, off',
  shownDefault: 'local:',
  meaning,
  secret: true,
  aliases: [],
})

const form =
  'must be local:, off, or s3://key:secret@host/bucket?region=…, with key and secret percent-encoded; ' +
  'tls=false is for hosts of a private network'

/** `s3://key:secret@host[:port]/bucket[/folder]?region=…[&tls=false]`. The bucket follows the host (path style). */
function readStorage(text: string): StorageSettings | SettingProblem {
  if (text === 'off') return { kind: 'off' }
  if (text === 'local:') return { kind: 'local' }
  const url = URL.canParse(text) ? new URL(text) : undefined
  const options = Object.fromEntries(url?.searchParams ?? [])
  const { region = 'us-east-1', tls = 'true', ...others } = options
  const isWhole =
    url?.protocol === 's3:' &&
    url.host !== '' &&
    url.username !== '' &&
    url.password !== '' &&
    url.hash === '' &&
    /^(\/[A-Za-z0-9._-]+)+\/?$/.test(url.pathname) &&
    /^[a-z0-9-]+$/.test(region) &&
    /^(true|false)$/.test(tls) &&
    Object.keys(others).length === 0
  if (!isWhole) return new SettingProblem(form)
  try {
    return {
      kind: 's3',
      endpoint: `${tls === 'true' ? 'https' : 'http'}://${url.host}${url.pathname.replace(/\/$/, '')}`,
      region,
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
    }
  } catch {
    return new SettingProblem(form)
  }
}
