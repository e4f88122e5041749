import { fill } from '../../../ui/texts/index.ts'
import { applicationPath, type ShownApplication } from './paths.ts'

interface HeadTexts {
  /** Contains `{name}`. */
  title: string
  lead: string
}

/** The title of a page below that of an application, with the way back. */
export const headOf = ({ id, name }: ShownApplication, { title, lead }: HeadTexts) => ({
  title: fill(title, { name }),
  lead,
  parent: { path: applicationPath(id), label: name },
})
