import type { Config } from '../config/load.ts'
import { isLink, type LifetimeSetting, type MessageName, messageLifetime, messageVariables } from './messages.ts'
import { paragraphsOf, renderBuiltIn } from './render-message.ts'

/** Returns the built-in message with placeholders instead of values, as a starting point for editing. */
export function builtInSource(
  name: MessageName,
  language: string,
  { PASSWORDS_ENABLED: hasPasswords }: Pick<Config, 'PASSWORDS_ENABLED'>,
): { subject: string; text: string } {
  const { subject, text } = renderBuiltIn(name, language, placeholdersOf(name), { hasPasswords })
  return { subject, text: text.trim() }
}

/** Returns the HTML generated from a message text, with placeholders instead of values. */
export function htmlSource(name: MessageName, text: string): string {
  const values = placeholdersOf(name)
  return paragraphsOf(text, values)
    .map(({ lines, link, code }) => {
      if (code) return `<p class="code">${code}</p>`
      if (!link) return `<p>${lines.map(escapeText).join('<br>\n')}</p>`
      return `<p><a class="button" href="${link}">${escapeText(lines[0] ?? '')}</a></p>\n<p class="muted">${link}</p>`
    })
    .join('\n')
}

const placeholdersOf = (name: MessageName): Record<string, string> =>
  Object.fromEntries(messageVariables(name).map((variable) => [variable, `{{${variable}}}`]))

const escapeText = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** Values for previews and test messages. None of them can be used to sign in. */
export function sampleValues(
  name: MessageName,
  settings: Pick<Config, 'APP_NAME' | 'PUBLIC_URL' | LifetimeSetting>,
): Record<string, string> {
  const { APP_NAME, PUBLIC_URL, CODE_TTL } = settings
  const declared = messageLifetime(name) ?? CODE_TTL
  const lifetime = typeof declared === 'number' ? declared : settings[declared]
  const sampleOf = (variable: string): string => {
    if (isLink(variable)) return `${PUBLIC_URL}/account?sample=${variable}`
    if (variable === 'expires_in') return String(lifetime / 1000)
    if (variable === 'code_expires_in') return String(Math.min(CODE_TTL, lifetime) / 1000)
    return samples.get(variable) ?? variable.replaceAll('_', ' ')
  }
  const values = Object.fromEntries(messageVariables(name).map((variable) => [variable, sampleOf(variable)]))
  return { ...values, app_name: APP_NAME, ...('host' in values && { host: new URL(PUBLIC_URL).host }) }
}

const samples = new Map([
  ['addresses', 'https://shop.example.com'],
  ['secret_hint', 'wbs_003aUlTJ…rrNz'],
  ['rights', 'sessions'],
  ['key_name', 'deploy'],
  ['api_keys', 'deploy, backup'],
  ['key_hint', 'wkp_003aUlTJ…rrNz'],
  ['scopes', 'wardenry:profile:read'],
  ['valid_until', '2030-03-02T12:05:00.000Z'],
  ['reason', 'revoked'],
  ['role', 'Moderator'],
  ['permissions', 'users:read, users:block'],
  ['name', 'Ada'],
  ['time', '2030-01-31T12:05:00.000Z'],
  ['restorable_until', '2030-03-02T12:05:00.000Z'],
  ['scheduled_for', '2030-03-02T12:05:00.000Z'],
  ['code', '123456'],
  ['ip', '203.0.113.9'],
  ['user_agent', 'Firefox on Linux'],
  ['provider', 'Google'],
  ['changed', 'password'],
  ['method', 'totp'],
  ['remaining', '9'],
  ['phone_masked', '***123'],
  ['passkey', 'YubiKey 5'],
  ['old_email_masked', 'a***@example.com'],
  ['new_email_masked', 'g***@example.org'],
])
