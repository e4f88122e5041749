const startPath = '/auth/two_factor/passkey/start'

interface PasskeyButton {
  /** API path of the challenge, and its body. */
  ask?: string
  about: { method_id?: string; action?: string }
  /** API path that accepts the response. */
  answer: string
  next: string
  secondStep?: string
  refused: string
}

export const passkeyButton = ({ ask = startPath, ...settings }: PasskeyButton) => ({
  scripts: [new URL('./passkey.js', import.meta.url)],
  settings: { ask, ...settings },
})

interface PasskeyForm {
  refused: string
  /** Options for navigator.credentials.create(). */
  create?: object | undefined
  /** Otherwise, the body of the request for a challenge. */
  about?: { method_id: string; action: string }
}

export const passkeyForm = ({ refused, create, about }: PasskeyForm) => ({
  scripts: [new URL('./passkey-form.js', import.meta.url)],
  settings: { refused, create, ...(about && { ask: { path: startPath, body: about } }) },
})
