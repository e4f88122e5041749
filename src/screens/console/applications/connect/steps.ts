import { isLocal } from '../../../../applications/application-set.ts'
import type { AdminTexts } from '../../../../ui/console/texts/index.ts'
import { fill } from '../../../../ui/texts/index.ts'
import type { Recipe } from '../recipes.ts'
import { fillSample, type Place, settingsOf } from './fill-sample.ts'

interface Code {
  /** The name of the file, or a label. */
  name: string
  isFile: boolean
  text: string
}

export interface Step {
  title: string
  text: string
  code: readonly Code[]
  note?: string
  /** Whether the step has a button that creates a bridge secret. */
  createsSecret?: boolean
}

/** Returns the steps in which an operator connects an application. */
export function connectSteps(texts: AdminTexts['applications'], recipe: Recipe, place: Place): Step[] {
  const { steps, code: labels } = texts
  const { pack, install, files, run } = fillSample(recipe, place)
  const { publicUrl: service, address } = place
  const isOpen = recipe.name === 'single_page'
  const start = recipe.group === 'backEnds' ? `${address.origin}/private` : shownAddress(address)
  const values = { service, serviceHost: new URL(service).host, address: start, host: address.host }
  const step = (name: keyof typeof steps, ...code: Code[]): Step => ({
    title: steps[name].title,
    text: fill(steps[name].text, values),
    code,
  })
  const labelled = (label: keyof typeof labels, text: string): Code => ({ name: labels[label], isFile: false, text })
  const secret: Step = place.secret
    ? step('newSecret', labelled('secret', place.secret))
    : { ...step('secret'), createsSecret: true }
  const commands = (name: 'pack' | 'install' | 'run' | 'runOpen' | 'runSecret', text: string | undefined): Step[] =>
    text === undefined ? [] : [step(name, labelled('commands', text))]
  const named = files.map((file): Code => ({ ...file, isFile: true }))
  if (recipe.group === 'gateways') return [step('cookie'), secret, step('gatewayFiles', ...named), step('try')]
  if (recipe.name === 'mobile') return [step('mobileFiles', ...named), secret]
  if (recipe.name === 'other') {
    const settings = labelled('settings', settingsOf(recipe, place).join('\n'))
    return [secret, step('settings', settings), step('send', labelled('link', signInLink(place)))]
  }
  const started = commands(isOpen ? 'runOpen' : place.secret ? 'runSecret' : 'run', run)
  const behindProxy = fill(texts.behindProxy, { address: address.origin })
  return [
    ...(isOpen ? [] : [secret]),
    ...commands('pack', pack),
    ...commands('install', install),
    { ...step('files', ...named), ...(isOpen && { note: texts.react }) },
    ...started.map((one) => (isLocal(address) ? one : { ...one, note: behindProxy })),
    step('try'),
  ]
}

/** The values that differ at each sign-in are left out, as in the guide. */
const signInLink = ({ publicUrl, address }: Place): string =>
  `${publicUrl}/login?return_to=${encodeURIComponent(address.href)}&state=…&code_challenge=…&code_challenge_method=S256`

const shownAddress = ({ href, origin, pathname }: URL): string =>
  pathname === '/' && origin !== 'null' ? origin : href
