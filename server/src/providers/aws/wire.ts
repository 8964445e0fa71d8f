import { CloudError } from '../errors.ts'

/** A request as the SDK signs it. */
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

/** The last step to AWS: one request, and its whole reply. */
export type Wire = (request: WireRequest, signal: AbortSignal) => Promise<WireReply>

export const overHttp: Wire = async (request, signal) => {
  // fetch writes Host and Content-Length itself, as they were signed.
  const { host: _host, 'content-length': _length, ...headers } = request.headers
  const port = request.port === undefined ? '' : `:${request.port}`
  const response = await fetch(`${request.protocol}//${request.hostname}${port}${request.path}`, {
    method: request.method,
    headers,
    body: bodyText(request),
    signal,
    redirect: 'error',
  })
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
}

export const bodyText = ({ body }: WireRequest): string =>
  body instanceof Uint8Array ? new TextDecoder().decode(body) : typeof body === 'string' ? body : ''

/**
 * Returns the handler by which the SDK sends. A reply counts once it is whole and can be read: the SDK would take
 * half of one.
 */
export function requestHandler(wire: Wire, timeLimit: number) {
  return {
    async handle(request: WireRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
      // All that the portal asks of AWS stands in the body; a path or a query would be made of something given.
      if (request.path !== '/')
        throw new CloudError('refused', 'A request to AWS would lead elsewhere: it was not sent.')
      const limit = AbortSignal.timeout(timeLimit)
      const signal = abortSignal === undefined ? limit : AbortSignal.any([abortSignal, limit])
      const { status, headers, body } = await wire(request, signal)
      if (status < 300 && !isReadable(headers['content-type'] ?? '', body)) {
        throw new CloudError('unreachable', 'AWS answered with something that could not be read.')
      }
      return { response: { statusCode: status, headers: { ...headers }, body: Buffer.from(body) } }
    },
  }
}

/** Returns true for a whole reply of AWS's, and not half of one or some proxy's page. */
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
