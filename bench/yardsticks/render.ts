import { loginPage } from '../../src/screens/sign-in/login/view.ts'
import type { PageContext } from '../../src/ui/shared/render.ts'
import { themeOf } from '../../src/ui/shared/theme.ts'
import { respond } from '../process/calls.ts'

const page: PageContext = {
  appName: 'Wardenry',
  lang: 'en',
  nonce: 'bm9uY2Utb2YtYS1yZXBseQ==',
  publicUrl: 'https://auth.example.test',
  theme: themeOf({ APP_ACCENT: '#17614c', APP_LOGO: undefined, APP_TERMS_URL: undefined, APP_PRIVACY_URL: undefined }),
  languageForm: { formToken: 'mh9w1k2s.3q2-7wAAAAB5c0v1nq8rJ0yVtX0kz4c3tS8pXn2m1oQ', back: '/login' },
}
const ways = {
  passkey: { autofill: true },
  byMail: true,
  password: true,
  registerPath: '/register',
  providers: ['google', 'github'].map((name) => ({ name, title: name })),
}

// Renders the sign-in page with all its optional parts.
respond('render', ({ milliseconds }: { milliseconds: number }) => {
  const end = performance.now() + milliseconds
  let count = 0
  for (; performance.now() < end; count++) loginPage({ formToken: page.nonce, ways, next: '/account' }, page)
  return count
})
