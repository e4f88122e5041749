const startPath = '/auth/two_factor/passkey/start'

interface PasskeyButton {
  /** The API path that issues the challenge. `about` is the request body. */
  ask?: string
  about: { method_id?: string; action?: string }
  /** The API path that accepts the response. */
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
  /** The options for navigator.credentials.create(). */
  create?: object | undefined
  /** The body of the challenge request. Present only without `create`. */
  about?: { method_id: string; action: string }
}

export const passkeyForm = ({ refused, create, about }: PasskeyForm) => ({
  scripts: ['passkey-form.js'],
  settings: { refused, create, ...(about && { ask: { path: startPath, body: about } }) },
})

/** Creates a passkey on the page that asks for its name. */
export const newPasskeyForm = {
  scripts: [new URL('./passkey-add.js', import.meta.url)],
  settings: { setUpPath: '/auth/two_factor/passkey/setup' },
}
