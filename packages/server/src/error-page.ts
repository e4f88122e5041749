import { createHash } from 'node:crypto'
import type { Brand } from './brand.ts'
import type { WardenryErrorCode } from './errors.ts'
import type { Settings } from './options.ts'

/** The next step for the user. */
interface Advice {
  text: string
  links: [text: string, address: string][]
}

const commonStyle = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;grid-template-columns:minmax(0,1fr);place-items:center;font:1rem/1.5 system-ui,sans-serif}
main{box-sizing:border-box;max-width:min(29rem,100%);padding:1.5rem}
h1{font-size:1.25rem;line-height:1.3;margin:0 0 .5rem}
a{display:inline-block;margin:.5rem 1rem 0 0;padding:.4rem 0}
header{display:flex;align-items:center;gap:.5rem;margin:0 0 1.5rem;font-weight:600;overflow-wrap:anywhere}
header img{flex:none;max-width:100%;height:auto}`

/** The service has adjusted the colours to these backgrounds. */
const styleWith = (accent: Brand['accent']): string =>
  accent
    ? `${commonStyle}
body{background:#fff}a{color:${accent.light}}
@media (prefers-color-scheme:dark){body{background:#0f1311}a{color:${accent.dark}}}`
    : commonStyle

/** Blocks all resources except the logo. The hash permits the page's style element. */
function policyFor(style: string, logo: Brand['logo']): string {
  const hash = createHash('sha256').update(style).digest('base64')
  const pictures = logo ? ` img-src ${new URL(logo.url).origin};` : ''
  return `default-src 'none'; style-src 'sha256-${hash}';${pictures} base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

export interface Situation {
  /** The URL of the page that the user returns to. */
  returnTo?: string | undefined
  /** The maximum age of the authentication in seconds, if the user must authenticate again. */
  maxAge?: number | undefined
  /** Whether the user submitted a form, which the browser cannot submit again after a sign-in. */
  isForm?: boolean
}

export interface ErrorPage {
  text: string
  /** The Content-Security-Policy. */
  policy: string
}

export function errorPage(
  settings: Settings,
  code: WardenryErrorCode,
  sentence: string,
  situation: Situation = {},
  brand?: Brand,
): ErrorPage {
  const { text, links } = adviceOn(settings, code, situation)
  if (brand?.support) links.push(['Get help', brand.support])
  const anchors = links.map(([label, address]) => `<a href="${escapeHtml(address)}">${escapeHtml(label)}</a>`)
  const style = styleWith(brand?.accent)
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(brand ? `${sentence} – ${brand.name}` : sentence)}</title>
<style>${style}</style>
<main>
${brand ? headerOf(brand) : ''}<h1>${escapeHtml(sentence)}</h1>
<p>${escapeHtml(text)}</p>
<p>${anchors.join('\n')}</p>
</main>
</html>
`
  return { text: page, policy: policyFor(style, brand?.logo) }
}

function headerOf({ name, logo }: Brand): string {
  if (!logo) return `<header>${escapeHtml(name)}</header>\n`
  const { url, width, height, containsName } = logo
  const picture = `<img src="${escapeHtml(url)}" width="${width}" height="${height}" alt="${containsName ? escapeHtml(name) : ''}">`
  return `<header>${picture}${containsName ? '' : `<span>${escapeHtml(name)}</span>`}</header>\n`
}

const home: Advice['links'][0] = ['Back to the application', '/']

const adviceOnKeys = {
  INVALID_CREDENTIAL: { text: 'Programs send it in the header Authorization.', links: [home] },
  KEY_PAUSED: { text: 'Its user must set up a second factor.', links: [home] },
  KEY_NETWORK: { text: 'Its settings restrict it to other networks.', links: [home] },
  INSUFFICIENT_SCOPE: { text: 'Ask an administrator of this application for access.', links: [home] },
} satisfies Partial<Record<WardenryErrorCode, Advice>>

function adviceOn(settings: Settings, code: WardenryErrorCode, { returnTo, maxAge, isForm }: Situation): Advice {
  const { paths, url, appUrl } = settings
  const local = returnTo && appUrl && returnTo.startsWith(`${appUrl}/`) ? returnTo.slice(appUrl.length) : undefined
  const signIn = (more: Record<string, string> = {}): string => {
    const search = new URLSearchParams({ ...(local && { return_to: local }), ...more }).toString()
    return search ? `${paths.signIn}?${search}` : paths.signIn
  }
  const tryAgain: Advice['links'][0] = ['Try again', signIn()]
  // An empty URL reloads the page. On the callback path, this resends the code, which remains valid until it is
  // exchanged.
  const later: Advice = isForm
    ? { text: 'Wait a moment, then submit the form again.', links: [local ? ['Back to the form', local] : home] }
    : { text: 'Wait a moment, then try again.', links: [['Try again', '']] }
  const advice: Record<WardenryErrorCode, Advice> = {
    INVALID_SESSION: {
      text: isForm
        ? 'Nothing was changed. Sign in, then submit the form again.'
        : 'Only signed-in users can open this page.',
      links: [['Sign in', signIn()]],
    },
    FORBIDDEN: {
      text: 'If you have another account with access, sign in with it.',
      links: [['Sign in with another account', signIn({ prompt: 'login' })], home],
    },
    AMBIGUOUS_SESSION: {
      text: 'You are still signed in. Delete the cookies of this site in the settings of your browser.',
      links: [home],
    },
    TWO_FACTOR_REQUIRED: {
      text: 'Set up a second factor in your account, then sign in again with it.',
      links: [
        ['Open your account', `${url}/account/security`],
        ['Sign in again', signIn({ prompt: 'login' })],
      ],
    },
    CSRF_REJECTED: { text: 'Nothing was changed. Open the application and repeat the action there.', links: [home] },
    REAUTH_REQUIRED: isForm
      ? {
          text: 'Nothing was changed. Confirm your identity, then submit the form again.',
          links: [['Confirm your identity', signIn(maxAge === undefined ? {} : { max_age: String(maxAge) })]],
        }
      : { text: 'Your last sign-in was too long ago.', links: [['Sign in again', signIn()]] },
    INVALID_STATE: { text: 'Start the sign-in again in this browser. Cookies must be allowed.', links: [tryAgain] },
    INVALID_CODE: { text: 'Start the sign-in again. You may not need to enter your password.', links: [tryAgain] },
    ACCESS_DENIED: { text: 'Nothing was changed. You can sign in at any time.', links: [tryAgain, home] },
    INVALID_EVENT: { text: 'This address is for events that the service sends.', links: [home] },
    SIGN_IN_FAILED: {
      text: 'Start the sign-in again. You may not need to enter your password.',
      links: [tryAgain, home],
    },
    METHOD_NOT_ALLOWED: { text: 'Use the button in the application instead of this address.', links: [home] },
    BRIDGE_SECRET_REQUIRED: later,
    UNAVAILABLE: later,
    ...adviceOnKeys,
  }
  return advice[code]
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
