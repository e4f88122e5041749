import { createElement as h, useEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App, changed } from './app.ts'

// The script for the page that components.test.ts serves.
// biome-ignore lint/suspicious/noExplicitAny: the tests do not include browser types.
const page = globalThis as any
const root = page.document.getElementById('root')

function Page() {
  useEffect(() => {
    page.isHydrated = true
  }, [])
  return h(App, { initialUser: page.initialUser })
}

page.changed = changed
if (root.firstChild) hydrateRoot(root, h(Page))
else createRoot(root).render(h(Page))
