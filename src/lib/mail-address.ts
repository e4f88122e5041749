/** Returns undefined unless `text` is a single plain email address. Other text could inject headers. */
export const mailbox = (text: string): string | undefined => (plainAddress.test(text) ? text : undefined)

const plainAddress = /^[^\s\p{Cc}"(),:;<>@[\\\]]{1,64}@[^\s\p{Cc}"(),:;<>@[\\\]]{1,255}$/u

export interface MailSender {
  name: string
  address: string
  domain: string
}

/** Returns undefined unless `from` is an email address or has the form `Name <address>`. */
export function senderOf(from: string): MailSender | undefined {
  const [, name = '', inBrackets] = /^\s*"?([^"<>\p{Cc}]*?)"?\s*<([^<>]+)>\s*$/u.exec(from) ?? []
  const address = mailbox(inBrackets ?? from.trim())
  if (!address) return undefined
  return { name, address, domain: address.slice(address.lastIndexOf('@') + 1) }
}
