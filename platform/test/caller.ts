export type Caller = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>

export interface Reply {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- replies have any shape; the assertions check it
  readonly body: any
}

/** Sends and reads JSON; takes an absolute URL and needs no session. */
export const send: Caller = async (method, url, body, headers = {}) => {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** Like `send`, but throws on an error status. Returns the body. */
export async function mustSend(...call: Parameters<Caller>): Promise<Reply['body']> {
  const { status, body } = await send(...call)
  if (status >= 300) throw new Error(`${call[0]} ${call[1]}: ${status} ${JSON.stringify(body)}`)
  return body
}
