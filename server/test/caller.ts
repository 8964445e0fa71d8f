/** Makes calls as somebody who is signed in. */
export type Caller = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>

export interface Reply {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- a reply may be anything; the expectations say what
  readonly body: any
}

/** Sends JSON, and reads it: for an address whole, and whoever calls. */
export const send: Caller = async (method, url, body, headers = {}) => {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** The same for what nobody may refuse. Answers the body. */
export async function mustSend(...call: Parameters<Caller>): Promise<Reply['body']> {
  const { status, body } = await send(...call)
  if (status >= 300) throw new Error(`${call[0]} ${call[1]}: ${status} ${JSON.stringify(body)}`)
  return body
}
