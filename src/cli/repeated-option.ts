/** All values of an option that can be repeated. */
export const valuesOfOption = (words: readonly string[], name: string): string[] =>
  words.flatMap((word, at) => {
    const option = `--${name}`
    if (word.startsWith(`${option}=`)) return [word.slice(option.length + 1)]
    return word === option ? [words[at + 1] ?? ''] : []
  })
