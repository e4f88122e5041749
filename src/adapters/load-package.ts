export async function loadPackage<Library>(
  name: string,
  setting: string,
  load: () => Promise<Library>,
): Promise<Library> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error, name)) throw error
    throw new Error(`${setting} needs the package "${name}", which is not installed: run npm install ${name}`)
  }
}

const isMissing = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.includes(`'${name}'`)
