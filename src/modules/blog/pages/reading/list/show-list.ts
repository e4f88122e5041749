import type { FastifyReply } from 'fastify'
import type { Reader } from '../reader.ts'
import { type ListedTerm, type ListQuery, loadList } from './load-list.ts'
import { listView } from './view.ts'

export async function showList(reader: Reader, query: ListQuery, term?: ListedTerm): Promise<FastifyReply> {
  const list = await loadList(reader, query, term)
  return reader.send(listView(reader, query, list), { lang: query.lang, isPersonal: false })
}
