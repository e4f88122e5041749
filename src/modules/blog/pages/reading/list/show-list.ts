import type { FastifyReply } from 'fastify'
import type { Reader } from '../reader.ts'
import { type ListedTerm, loadList, type ReadingQuery } from './load-list.ts'
import { listView } from './view.ts'

export async function showList(reader: Reader, query: ReadingQuery, term?: ListedTerm): Promise<FastifyReply> {
  const list = await loadList(reader, query, term)
  return reader.send(listView(reader, query, list), { lang: query.lang, isPersonal: false })
}
