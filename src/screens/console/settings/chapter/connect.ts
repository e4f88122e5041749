import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import type { ListedSetting } from '../settings.ts'

const example = 'https://shop.example.com'

/** Returns the steps for connecting an application. They are shown in the chapter with `ALLOWED_REDIRECTS`. */
export function connectData(page: PageContext, settings: readonly ListedSetting[], hasDocs: boolean) {
  const setting = settings.find(({ name }) => name === 'ALLOWED_REDIRECTS')
  if (!setting) return undefined
  const allowed = setting.value ? `${setting.value},${example}` : example
  return {
    texts: adminTextsFor(page.lang).settings.connect,
    variable: `ALLOWED_REDIRECTS=${allowed}`,
    address: page.publicUrl,
    signIn: `${page.publicUrl}/login?return_to=${encodeURIComponent(`${example}/`)}`,
    hasDocs,
  }
}
