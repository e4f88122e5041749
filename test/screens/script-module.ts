/** Imports one of the API page's scripts, which is a module. */
export const scriptModule = async <T>(name: string): Promise<T> =>
  (await import(new URL(`../../src/ui/assets/docs/${name}`, import.meta.url).href)) as T
