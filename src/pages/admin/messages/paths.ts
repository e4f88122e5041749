export const messagesPath = '/admin/messages'
export const templatesPath = `${messagesPath}/templates`

export const editorPath = (name: string, language: string): string =>
  `${templatesPath}/${encodeURIComponent(name)}/${encodeURIComponent(language)}`

const name = /^[a-z_]{1,64}$/

/** Message names contain underscores, which the pages show as spaces. */
export const messageLabel = (message: string): string =>
  name.test(message) ? message.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase()) : message
