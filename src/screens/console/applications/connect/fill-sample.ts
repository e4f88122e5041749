import { isLocal } from '../../../../applications/application-set.ts'
import { isWeb } from '../../../../lib/return-address.ts'
import { shellQuoted } from '../../../../lib/shell-quoted.ts'
import type { Recipe } from '../recipes.ts'
import samples from './samples.json' with { type: 'json' }

interface Sample {
  pack?: string
  install?: string
  files: { name: string; text: string }[]
  run?: string
}

export interface Place {
  publicUrl: string
  /** The port on which the service listens. */
  port: number
  /** The application's address. */
  address: URL
  /** A bridge secret that was just created. */
  secret?: string | undefined
}

/** Returns the documented files and commands with the addresses of this application and this service. */
export function fillSample(recipe: Recipe, place: Place): Sample {
  const { pack, install, files, run } = sampleOf(recipe, place)
  return {
    ...(pack !== undefined && { pack }),
    ...(install !== undefined && { install }),
    files: files.map(({ name, text }) => ({ name, text: withAddresses(text, place) })),
    ...(run !== undefined && { run: [...settingsOf(recipe, place), withPort(run, place)].join(' \\\n') }),
  }
}

/** The settings that the application reads from environment variables, one assignment for each. */
export function settingsOf({ settings }: Recipe, { publicUrl, address, secret }: Place): string[] {
  const values = {
    WARDENRY_URL: publicUrl,
    APP_URL: address.origin,
    BRIDGE_SECRET: secret ?? 'paste-the-bridge-secret',
    // Elsewhere, a proxy forwards requests to the default port.
    PORT: isLocal(address) ? address.port : '',
  }
  return settings.flatMap((name) => (values[name] ? [`${name}=${shellQuoted(values[name])}`] : []))
}

function sampleOf({ name }: Recipe, { address }: Place): Sample {
  const all: Readonly<Record<string, Sample>> = samples
  const local = `${name}_local`
  if (isLocal(address) && Object.hasOwn(all, local)) return all[local] ?? { files: [] }
  return (Object.hasOwn(all, name) ? all[name] : undefined) ?? { files: [] }
}

/** The documents use the same placeholders everywhere. A host name that configuration files could misread stays out. */
function withAddresses(text: string, { publicUrl, port, address, secret }: Place): string {
  const isScheme = !isWeb(address.protocol)
  const { hostname, protocol, port: ownPort } = address
  const values: Readonly<Record<string, string>> = {
    '127.0.0.1:3000': `127.0.0.1:${port}`,
    ...(secret !== undefined && { YOUR_BRIDGE_SECRET: secret }),
    ...(isLocal(address) && { '127.0.0.1:4000': `127.0.0.1:${ownPort || '80'}` }),
    ...(/^[a-z0-9.-]+$/.test(hostname) && { 'app.example.com': hostname }),
    ...(isScheme && { 'https://id.example.com': publicUrl, 'shop://': `${protocol}//`, "'shop:'": `'${protocol}'` }),
  }
  const known = Object.keys(values).map((word) => word.replaceAll(/[.]/g, '\\.'))
  return text.replaceAll(new RegExp(known.join('|'), 'g'), (word) => values[word] ?? word)
}

const withPort = (command: string, { address }: Place): string =>
  isLocal(address) && address.port ? command.replaceAll('4000', () => address.port) : command
