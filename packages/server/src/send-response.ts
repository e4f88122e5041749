/** The members of `http.ServerResponse` that this file uses. */
export interface NodeResponse {
  statusCode: number
  getHeader(name: string): number | string | string[] | undefined
  setHeader(name: string, value: string | string[]): unknown
  end(text: string): unknown
}

/** Writes a Fetch `Response` to a Node.js response. Keeps any cookies already set on the Node.js response. */
export async function sendResponse(response: Response, reply: NodeResponse): Promise<void> {
  const text = await response.text()
  reply.statusCode = response.status
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.setHeader(name, value)
  const cookies = [reply.getHeader('set-cookie') ?? [], response.headers.getSetCookie()].flat().map(String)
  if (cookies.length > 0) reply.setHeader('set-cookie', cookies)
  reply.end(text)
}
