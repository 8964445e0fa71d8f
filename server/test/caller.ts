/** Makes calls as somebody who is signed in. */
export type Caller = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>

export interface Reply {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- a reply may be anything; the expectations say what
  readonly body: any
}
