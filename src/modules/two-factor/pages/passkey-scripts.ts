const startPath = '/auth/two_factor/passkey/start'

interface PasskeyButton {
  /** The API path that issues the challenge. `about` is the request body. */
  ask?: string
  about: { method_id?: string; action?: string }
  /** The API path that accepts the response. */
  answer: string
  next: string
  secondStep?: string
  /** The page that follows if the user must add a passkey. */
  addPasskey?: string
  refused: string
}

export const passkeyButton = ({ ask = startPath, ...settings }: PasskeyButton) => ({
  scripts: ['passkey-check.js'],
  settings: { ask, ...settings },
})

interface PasskeyForm {
  refused: string
  /** The body of the challenge request. */
  about: { method_id: string; action: string }
}

export const passkeyForm = ({ refused, about }: PasskeyForm) => ({
  scripts: ['passkey-form.js'],
  settings: { refused, ask: { path: startPath, body: about } },
})
