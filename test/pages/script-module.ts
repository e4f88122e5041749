/** Imports a script of the API page as the module it is written as. */
export const scriptModule = async <T>(name: string): Promise<T> =>
  (await import(new URL(`../../src/pages/assets/docs/${name}`, import.meta.url).href)) as T
