import type { ListedPage } from './list.ts'

/** The pages for administrators. */
export const adminPages: ListedPage[] = [
  { name: 'admin', path: '/admin', as: 'grace' },
  { name: 'admin-refused', path: '/admin', as: 'somebody' },
]
