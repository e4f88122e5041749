import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { textsFor } from '../../../ui/texts/index.ts'

export interface HomePage {
  development: boolean
  /** Whether an administrator exists, which makes the setup link invalid. */
  hasAdmin: boolean
  /** The id of the module that the page recommends to administrators. */
  suggestedModule: string | undefined
  /** Whether the installation has passwords, which the example of a registration uses. */
  hasPasswords: boolean
  registerPath: string | undefined
  /** Whether everyone can open the API page. */
  docs: boolean
}

export function homePage(data: HomePage, page: PageContext): string {
  const texts = textsFor(page.lang).home
  const examples = { register: registerExample(page.publicUrl), validate: validateExample(page.publicUrl) }
  return renderPage(
    {
      template: new URL('./home.eta', import.meta.url),
      title: page.appName,
      shape: 'reading',
      styles: ['home.css'],
      data: { ...data, texts, examples },
    },
    page,
  )
}

const registerExample = (publicUrl: string): string =>
  [
    `curl ${publicUrl}/auth/register/public \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"email": "ada@example.com", "password": "seven quiet river stones"}'`,
  ].join('\n')

const validateExample = (publicUrl: string): string =>
  [
    `curl ${publicUrl}/auth/bridge/validate \\`,
    `  -H "X-Bridge-Secret: $BRIDGE_SECRET" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"session_id": "ses_…"}'`,
  ].join('\n')
