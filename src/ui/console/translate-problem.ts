/** Spanish sentences. Each pattern matches an English sentence of the API. */
export type ProblemSentences = readonly (readonly [pattern: RegExp, sentence: string])[]

export interface ShownProblem {
  text: string
  lang: string
}

/** If there is no translation, returns the API's sentence, marked as English. */
export function translateProblem(lang: string, message: string, spanish: ProblemSentences): ShownProblem {
  const found = lang === 'es' ? spanish.find(([pattern]) => pattern.test(message)) : undefined
  const sentence = found ? message.replace(found[0], found[1]) : message
  return { text: sentence.replace(/^./, (letter) => letter.toUpperCase()), lang: found ? lang : 'en' }
}
