import { onDay } from '../../../../ui/account/when.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import { fill, type PageLanguage } from '../../../../ui/texts/index.ts'
import type { ManagedUser } from './read-user.ts'

type Passkey = NonNullable<ManagedUser['passkeys']>[number]

/** Undefined if the visitor may not see the user's devices. */
export function passkeyPanel({ passkeys }: ManagedUser, lang: PageLanguage, timeZone: string | null) {
  if (!passkeys) return undefined
  const { title, empty } = adminTextsFor(lang).person.passkeys
  return { title, empty, rows: passkeys.map((passkey) => rowOf(passkey, lang, timeZone)) }
}

function rowOf(passkey: Passkey, lang: PageLanguage, timeZone: string | null) {
  const { name, authenticator, backed_up, created_at, last_used_at } = passkey
  const texts = adminTextsFor(lang).person.passkeys
  const text = [
    ...(authenticator === name ? [] : [authenticator]),
    backed_up ? texts.backedUp : texts.onDevice,
    fill(texts.added, { day: onDay(lang, created_at, timeZone) }),
    last_used_at === null ? texts.neverUsed : fill(texts.used, { day: onDay(lang, last_used_at, timeZone) }),
  ]
  return { title: name, text: text.join(' · ') }
}
