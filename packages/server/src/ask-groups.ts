import type { Question, ServiceResponses, SessionResponse } from './ask-service.ts'
import type { WardenryError } from './errors.ts'

type Ask = (questions: Question[]) => Promise<ServiceResponses>

/** Sends one request for the sessions, and one for the keys or tokens of which the same is demanded. */
export const askGroups =
  (ask: Ask) =>
  async (questions: Question[]): Promise<Pick<ServiceResponses, 'answers'>> => {
    const groups = [...groupsOf(questions).values()]
    if (groups.length <= 1) return ask(questions)
    const answers: SessionResponse[] = []
    const askGroup = async (indexes: number[]) => {
      const responses = await responsesTo(
        ask,
        indexes.map((index) => questions[index] as Question),
      )
      for (const [at, index] of indexes.entries()) answers[index] = responses[at] as SessionResponse
    }
    await Promise.all(groups.map(askGroup))
    return { answers }
  }

function groupsOf(questions: Question[]): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const [index, { scopes, resource }] of questions.entries()) {
    const name = scopes ? JSON.stringify([resource, scopes]) : ''
    const group = groups.get(name)
    if (group) group.push(index)
    else groups.set(name, [index])
  }
  return groups
}

/** A request that fails leaves the others valid. */
async function responsesTo(ask: Ask, questions: Question[]): Promise<SessionResponse[]> {
  try {
    return (await ask(questions)).answers
  } catch (error) {
    return questions.map(() => ({ state: 'unknown', error: error as WardenryError }))
  }
}
