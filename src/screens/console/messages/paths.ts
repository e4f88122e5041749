import { adminTextsFor } from '../../../ui/console/texts/index.ts'

export const messagesPath = '/admin/messages'
export const templatesPath = `${messagesPath}/templates`

export const editorPath = (name: string, language: string): string =>
  `${templatesPath}/${encodeURIComponent(name)}/${encodeURIComponent(language)}`

const name = /^[a-z_]{1,64}$/

/** A name without a label is shown with its underscores replaced by spaces. */
export function messageLabel(lang: string, message: string): string {
  const { names } = adminTextsFor(lang).messages
  if (Object.hasOwn(names, message)) return names[message as keyof typeof names]
  return name.test(message) ? message.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase()) : message
}
