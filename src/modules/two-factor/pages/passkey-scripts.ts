const startPath = '/auth/two_factor/passkey/start'

interface PasskeyButton {
  /** Where the browser asks what to sign, and what it says there. */
  ask?: string
  about: { method_id?: string; action?: string }
  /** Where it shows what was signed. */
  answer: string
  next: string
  secondStep?: string
  /** The words when nothing comes of it. */
  refused: string
}

/** A button that shows a passkey to the API and goes on: what `passkey.js` is told. */
export const passkeyButton = ({ ask = startPath, ...settings }: PasskeyButton) => ({
  scripts: [new URL('./passkey.js', import.meta.url)],
  settings: { ask, ...settings },
})

interface PasskeyForm {
  refused: string
  /** What to make, for navigator.credentials.create(). */
  create?: object | undefined
  /** Else: what one that is there is asked for. */
  about?: { method_id: string; action: string }
}

/** A form that posts what a passkey has answered: what `passkey-form.js` is told. */
export const passkeyForm = ({ refused, create, about }: PasskeyForm) => ({
  scripts: [new URL('./passkey-form.js', import.meta.url)],
  settings: { refused, create, ...(about && { ask: { path: startPath, body: about } }) },
})
