import { CloudError } from '@trainyard/platform/server/providers/errors.ts'

export interface WireRequest {
  readonly method: string
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface WireReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Wire = (request: WireRequest, signal: AbortSignal) => Promise<WireReply>

export const wireOver =
  (send: typeof fetch): Wire =>
  async (request, signal) => {
    // fetch itself sets Host and Content-Length, to the signed values.
    const { host: _host, 'content-length': _length, ...headers } = request.headers
    const port = request.port === undefined ? '' : `:${request.port}`
    const response = await send(`${request.protocol}//${request.hostname}${port}${request.path}`, {
      method: request.method,
      headers,
      body: bodyText(request),
      signal,
      redirect: 'error',
    })
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
  }

export const overHttp = wireOver(fetch)

export const bodyText = ({ body }: WireRequest): string =>
  body instanceof Uint8Array ? new TextDecoder().decode(body) : typeof body === 'string' ? body : ''

/** Returns the SDK's HTTP handler. It rejects truncated responses, which the SDK would accept. */
export function requestHandler(wire: Wire, timeLimit: number) {
  return {
    async handle(request: WireRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
      // All parameters are in the body. Another path or a query could only come from manipulated input.
      if (request.path !== '/')
        throw new CloudError('refused', 'A request to AWS has an unexpected path. It was not sent.')
      const limit = AbortSignal.timeout(timeLimit)
      const signal = abortSignal === undefined ? limit : AbortSignal.any([abortSignal, limit])
      const { status, headers, body } = await wire(request, signal)
      if (status < 300 && !isReadable(headers['content-type'] ?? '', body)) {
        throw new CloudError('unreachable', 'The response from AWS could not be read.')
      }
      return { response: { statusCode: status, headers: { ...headers }, body: Buffer.from(body) } }
    },
  }
}

function isReadable(type: string, body: string): boolean {
  if (/\bxml\b/.test(type)) {
    const root = /^(?:<\?xml[^>]*\?>\s*)?<(\w+Response)[\s>]/.exec(body)?.[1]
    return root !== undefined && body.trimEnd().endsWith(`</${root}>`)
  }
  if (!/\bjson\b/.test(type)) return false
  try {
    JSON.parse(body === '' ? '{}' : body)
    return true
  } catch {
    return false
  }
}
