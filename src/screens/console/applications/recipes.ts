import type { ApplicationKind } from '../../../db/rows/applications.ts'

export const recipeGroups = ['backEnds', 'pages', 'gateways'] as const

/**
 * What the address of an application must be. `origin`: the files handle /sign-in at the root of the host. `web`: an
 * origin, with or without a path. `scheme`: of a mobile app.
 */
type AddressForm = 'origin' | 'web' | 'scheme'

export interface Recipe {
  name: string
  /** A product name. Otherwise, the texts contain the label. */
  label?: string
  group: (typeof recipeGroups)[number]
  kind: ApplicationKind
  address: AddressForm
  /** The settings that its files read from environment variables. */
  settings: readonly ('WARDENRY_URL' | 'APP_URL' | 'BRIDGE_SECRET' | 'PORT')[]
}

const backEnd = {
  group: 'backEnds',
  kind: 'website',
  address: 'origin',
  settings: ['WARDENRY_URL', 'APP_URL', 'BRIDGE_SECRET'],
} as const
const gateway = { group: 'gateways', kind: 'gateway', address: 'web', settings: [] } as const

/** The choices that the guides document. `npm run docs` writes the files of each to `connect/samples.json`. */
export const recipes: readonly Recipe[] = [
  { name: 'nextjs', label: 'Next.js', ...backEnd },
  ...[
    { name: 'express', label: 'Express' },
    { name: 'fastify', label: 'Fastify' },
    { name: 'hono', label: 'Hono' },
    { name: 'koa', label: 'Koa' },
  ].map((one): Recipe => ({ ...one, ...backEnd, settings: [...backEnd.settings, 'PORT'] })),
  { name: 'fastapi', label: 'Python (FastAPI)', ...backEnd },
  { name: 'go', label: 'Go (net/http)', ...backEnd, settings: [...backEnd.settings, 'PORT'] },
  { name: 'php', label: 'PHP', ...backEnd },
  { name: 'other', ...backEnd, address: 'web' },
  {
    name: 'single_page',
    group: 'pages',
    kind: 'single_page',
    address: 'origin',
    settings: ['WARDENRY_URL', 'PORT'],
  },
  { name: 'mobile', group: 'pages', kind: 'mobile', address: 'scheme', settings: [] },
  { name: 'nginx', label: 'nginx', ...gateway },
  { name: 'caddy', label: 'Caddy', ...gateway },
  { name: 'haproxy', label: 'HAProxy', ...gateway },
  { name: 'apache', label: 'Apache', ...gateway },
  { name: 'traefik', label: 'Traefik', ...gateway },
  { name: 'envoy', label: 'Envoy', ...gateway },
]

export const recipeNamed = (name: string | undefined): Recipe | undefined =>
  recipes.find((recipe) => recipe.name === name)

const usual: Record<ApplicationKind, string> = {
  website: 'nextjs',
  single_page: 'single_page',
  mobile: 'mobile',
  gateway: 'nginx',
  service: 'other',
}

/** For an application whose recipe is not known, because only its kind is stored. */
export const recipeFor = (kind: ApplicationKind): Recipe => {
  const found = recipeNamed(usual[kind])
  if (!found) throw new Error(`no recipe is called ${usual[kind]}`)
  return found
}
