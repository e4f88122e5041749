import type { Context } from '../../../context.ts'
import type { ListedModule, UnlocalizedModule } from './modules.ts'

/** Replaces the API's English texts with texts in the page's language, if the module has them. */
export const localized =
  ({ modules }: Context, lang: string) =>
  (module: UnlocalizedModule): ListedModule => {
    const { name, description, components = {} } = modules.wordsOf(module.module_id, lang)
    return {
      ...module,
      name: name ?? module.name,
      module_description: description ?? module.module_description,
      textLang: description === undefined ? 'en' : lang,
      components: module.components.map((one) => ({
        ...one,
        description: Object.hasOwn(components, one.component_id)
          ? (components[one.component_id] ?? one.description)
          : one.description,
      })),
    }
  }
