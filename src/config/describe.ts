import { Problem, type Setting } from './kinds.ts'
import { chapters } from './settings.ts'

/** docs/configuration.md. */
export const configurationPage = (): string => `${introduction}\n${everyChapter(section)}`

const introduction = `# Configuration

This page and \`.env.example\` are made from \`src/config/settings\` by \`npm run docs\`: edit those files, not this one.

Settings are environment variables. A file \`.env\` in the working directory completes them; what the environment says
wins. An empty value counts as absent.

- **Secrets** are marked ⚿. Each is also read from the file that \`<NAME>_FILE\` names, which keeps it out of the
  environment. No secret is ever logged.
- **Durations** are written \`30s\`, \`5m\`, \`24h\`, \`7d\`; **limits** as attempts per window, \`5/15m\`; **lists** with commas.
- **Rate limits that you do not set** allow 100 times as many attempts outside production. The tables show those of production.
- **Mistakes stop the start.** A wrong value, a misspelt name and settings that contradict each other are listed
  together, and the process ends with code 78. \`wardenry doctor\` shows the same list without starting anything. A name
  counts as misspelt when it resembles a setting in its letters or words, or begins with the word of a group, such as
  \`SMTP_HOST\`. If another program reads the variable, add its name to \`IGNORED_VARIABLES\`.
- **Secrets that you do not set** are made by the first start in development, and kept in \`DATA_DIR/secrets.json\`. With
  \`DATABASE_URL\` or in production, \`AUTH_SECRET\` and \`DATA_KEYS\` are required, because all nodes must share them; in production
  a bridge secret is, too. Values that look like samples are refused there.
`

type Named = [name: string, setting: Setting<unknown>]

const everyChapter = (written: (title: string, settings: Named[]) => string): string =>
  Object.entries(chapters)
    .map(([title, settings]) => written(title, Object.entries(settings)))
    .join('\n')

function section(title: string, settings: Named[]): string {
  const rows = settings.map(([name, { secret, aliases, type, shownDefault, meaning }]) => {
    const names = [`\`${name}\`${secret ? ' ⚿' : ''}`, ...aliases.map((alias) => `or \`${alias}\``)].join('<br>')
    return `| ${[names, type, shownDefault, meaning].map(cell).join(' | ')} |`
  })
  return `## ${title}\n\n| Name | Type | Default | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

/** .env.example: every setting, switched off by a #. */
export const envExample = (): string => `${envIntroduction}\n${everyChapter(envSection)}`

const envIntroduction = `# Copy this file to .env and take the # away from what you want to change.
# Every setting, its type and its range: docs/configuration.md. Made by "npm run docs".
`

function envSection(title: string, settings: Named[]): string {
  const lines = settings.map(
    ([name, setting]) => `# ${setting.meaning}${remark(setting)}\n#${name}=${literalDefault(setting)}`,
  )
  return `# --- ${title} ---\n\n${lines.join('\n\n')}\n`
}

function remark(setting: Setting<unknown>): string {
  const { shownDefault } = setting
  if (setting.secret) return `\n# ${secretForm(setting)}`
  const isDescribed = literalDefault(setting) === '' && shownDefault !== 'none' && shownDefault !== 'empty'
  return isDescribed ? `\n# default: ${shownDefault}` : ''
}

/** The default in the form in which it would be set; nothing when the default is only described. */
function literalDefault({ secret, fallback, shownDefault, read }: Setting<unknown>): string {
  const isLiteral = fallback !== undefined && JSON.stringify(read(shownDefault)) === JSON.stringify(fallback)
  return !secret && isLiteral ? shownDefault : ''
}

/** Addresses say themselves how they begin; all other secrets are random. */
function secretForm({ type, read }: Setting<unknown>): string {
  const refusal = read('?')
  if (type === 'address' && refusal instanceof Problem) return refusal.message
  return type.startsWith('name:')
    ? 'make one: echo "name:$(openssl rand -base64 32)"'
    : 'make one: openssl rand -base64 32'
}
