import { X509Certificate } from 'node:crypto'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent, type RequestOptions, request as httpsRequest } from 'node:https'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { CloudError, isTimeout, oneLine } from '@trainyard/platform/server/providers/errors.ts'
import { errorOf, isAbsence, unknownProject } from './refusals.ts'

/** How the portal reaches the daemon: its socket on this host, or TLS with a client certificate. */
export type LxdAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | {
      readonly kind: 'tls'
      readonly url: string
      readonly certificate: string
      readonly key: string
      /** PEM of the server's certificate. The portal trusts only this one. */
      readonly serverCertificate: string
    }

/** Reply of the daemon. `at` is the instant by the daemon's clock, in whole seconds. */
interface LxdReply {
  readonly metadata?: unknown
  readonly at: Date
  readonly etag: string | null
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly ifMatch?: string | null
}

export interface LxdClient {
  /**
   * Sends a request and, if the daemon answers with an operation, waits until the operation ends.
   * @throws CloudError also if the operation failed, which the daemon reports with HTTP 200
   */
  send(action: string, path: string, call: Call, signal: AbortSignal): Promise<LxdReply>
  /** @throws CloudError unauthorised if the project does not exist: it answers like an empty one */
  checkProject(signal: AbortSignal): Promise<void>
  /** Returns null if the resource does not exist. An unknown project is an error, as in `checkProject`. */
  find(action: string, path: string, query: Call['query'], signal: AbortSignal): Promise<LxdReply | null>
  /** Returns the content of a small file of an instance; null if one of them does not exist, or the file is larger. */
  readFile(action: string, instance: string, path: string, signal: AbortSignal): Promise<string | null>
  /** Passes each message of a stream on. Resolves when the stream ends, also if it could not be opened. */
  follow(path: string, query: Readonly<Record<string, string>>, onMessage: (text: string) => void): Promise<void>
  /** Runs a command in a running instance with the text as its standard input. Returns its exit code. */
  execute(
    action: string,
    instance: string,
    command: readonly string[],
    input: string,
    signal: AbortSignal,
  ): Promise<number>
}

const envelope = z.object({
  type: z.enum(['sync', 'async', 'error']),
  operation: z.string().optional(),
  error_code: z.number().optional(),
  error: z.string().optional(),
  metadata: z.unknown().optional(),
})
type Envelope = z.output<typeof envelope>

const operation = z.object({
  id: z.string(),
  created_at: z.coerce.date(),
  status_code: z.number(),
  err: z.string(),
  metadata: z.unknown().optional(),
})
const execution = z.object({ metadata: z.object({ fds: z.record(z.string(), z.string()) }) })
const exitCode = z.object({ return: z.number() })

/** Limit of one request in milliseconds. A member of a cluster that is offline delays its replies by 10 s. */
const REQUEST_MS = 30_000
/** Seconds that the daemon holds one request for the end of an operation. */
const WAIT_SECONDS = 20
const FILE_BYTES = 16_384
/** Limit of an operation in milliseconds. */
const OPERATION_MS = 150_000
const SUCCESS = 200
const RUNNING: ReadonlySet<number> = new Set([100, 101, 103, 104, 105, 109])

export function lxdClient(address: LxdAddress, project: string): LxdClient {
  const connection = connectionOf(address)

  async function exchange(action: string, target: string, call: Call, signal: AbortSignal) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)])
    const body = call.body === undefined ? undefined : JSON.stringify(call.body)
    try {
      const response = await responseOf(connection, {
        method: call.method ?? 'GET',
        path: target,
        body,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(call.ifMatch != null && { 'if-match': call.ifMatch }),
        },
        signal: limit,
      })
      return { status: response.status, etag: response.etag, at: response.at, ...parsed(response.text) }
    } catch (error) {
      signal.throwIfAborted()
      throw noReply(action, error)
    }
  }

  async function call(action: string, path: string, options: Call, signal: AbortSignal) {
    const query = new URLSearchParams({ ...options.query, project })
    const reply = await exchange(action, `/1.0${path === '' ? '' : `/${path}`}?${query}`, options, signal)
    if (reply.type === 'error') throw errorOf(action, reply.error_code ?? reply.status, reply.error ?? '')
    return reply
  }

  /** @throws CloudError if the operation failed, or unreachable if the daemon has forgotten it */
  async function waitFor(action: string, url: string, signal: AbortSignal) {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(OPERATION_MS)])
    // The URL of a cluster's operation has a query, so `/wait` is added to the path.
    const { pathname, searchParams } = new URL(url, 'http://lxd')
    searchParams.set('timeout', String(WAIT_SECONDS))
    for (;;) {
      const reply = await exchange(action, `${pathname}/wait?${searchParams}`, {}, deadline).catch((error: unknown) => {
        signal.throwIfAborted()
        if (deadline.aborted) throw new CloudError('unreachable', `LXD did not finish to ${action} in time.`)
        throw error
      })
      // The daemon keeps a finished operation for 5 s, and none over a restart. Only the resource tells the outcome.
      if (reply.type === 'error' && reply.error_code === 404)
        throw new CloudError('unreachable', `LXD no longer knows the outcome of the request to ${action}.`)
      if (reply.type === 'error') throw errorOf(action, reply.error_code ?? reply.status, reply.error ?? '')
      const { status_code: status, err, ...done } = readAs(operation, reply.metadata, action)
      if (status === SUCCESS) return done
      if (!RUNNING.has(status)) throw errorOf(action, status, err)
    }
  }

  async function send(action: string, path: string, options: Call, signal: AbortSignal): Promise<LxdReply> {
    const reply = await call(action, path, options, signal)
    if (reply.type === 'sync') return reply
    const { created_at: at, metadata } = await waitFor(action, reply.operation ?? '', signal)
    return { metadata, at: wholeSeconds(at), etag: null }
  }

  async function checkProject(signal: AbortSignal): Promise<void> {
    try {
      await call('read the project', `projects/${encodeURIComponent(project)}`, {}, signal)
    } catch (error) {
      throw isAbsence(error) ? unknownProject(project) : error
    }
  }

  return {
    send,
    checkProject,
    async find(action, path, query, signal) {
      try {
        return await send(action, path, { ...(query && { query }) }, signal)
      } catch (error) {
        if (!isAbsence(error)) throw error
        await checkProject(signal)
        return null
      }
    },
    async readFile(action, instance, path, signal) {
      const query = new URLSearchParams({ path, project })
      const limit = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)])
      try {
        const target = { method: 'GET', path: `/1.0/instances/${instance}/files?${query}`, signal: limit }
        const { status, text } = await responseOf(connection, { ...target, body: undefined }, FILE_BYTES)
        if (status === 200) return text
        const { error_code: code, error } = parsed(text)
        if (code !== 404) throw errorOf(action, code ?? status, error ?? '')
        return null
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof TooLong) return null
        throw error instanceof CloudError ? error : noReply(action, error)
      }
    },
    follow(path, query, onMessage) {
      const socket = connection.webSocket(`/1.0/${path}?${new URLSearchParams({ ...query, project })}`)
      // The stream alone keeps no process running.
      socket.on('upgrade', (reply) => reply.socket.unref())
      socket.on('message', (data: Buffer) => onMessage(data.toString()))
      socket.on('error', () => socket.terminate())
      return new Promise((resolve) => void socket.on('close', () => resolve()))
    },
    async execute(action, instance, command, input, signal) {
      const body = { command, 'wait-for-websocket': true, interactive: false, environment: {} }
      const path = `instances/${instance}/exec`
      const reply = await call(action, path, { method: 'POST', body }, signal)
      const url = reply.operation ?? ''
      const { fds } = readAs(execution, reply.metadata, action).metadata
      // The daemon waits for a connection to each stream, for at most 5 s.
      const sockets = Object.entries(fds).map(([name, secret]) => {
        const socket = connection.webSocket(`${new URL(url, 'http://lxd').pathname}/websocket?secret=${secret}`)
        socket.on('error', () => socket.terminate())
        // An empty text message ends the input.
        if (name === '0') socket.on('open', () => socket.send(Buffer.from(input), () => socket.send('')))
        return socket
      })
      try {
        const { metadata } = await waitFor(action, url, signal)
        return readAs(exitCode, metadata, action).return
      } finally {
        for (const socket of sockets) socket.terminate()
      }
    },
  }
}

/** @throws CloudError unreachable if the value has another shape */
export function readAs<Shape extends z.ZodType>(shape: Shape, value: unknown, action: string): z.output<Shape> {
  const read = shape.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new CloudError(
    'unreachable',
    `LXD's reply to the request to ${action} is unreadable: ${issue!.path.join('.')} ${issue!.message}.`,
  )
}

const wholeSeconds = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000)

const parsed = (text: string): Envelope => envelope.parse(JSON.parse(text))

function noReply(action: string, error: unknown): CloudError {
  const { name, message } = error as Error
  const reason = isTimeout(name) ? 'no reply in time' : oneLine(message)
  return new CloudError('unreachable', `The request to LXD to ${action} failed: ${reason}.`, null, { cause: error })
}

interface Connection {
  readonly options: RequestOptions
  readonly request: typeof httpsRequest | typeof httpRequest
  webSocket(path: string): WebSocket
}

function connectionOf(address: LxdAddress): Connection {
  if (address.kind === 'socket') {
    const { path } = address
    return {
      options: { socketPath: path, host: 'lxd' },
      request: httpRequest,
      webSocket: (at) => new WebSocket(`ws+unix://${path}:${at}`, { handshakeTimeout: REQUEST_MS }),
    }
  }
  const { hostname, port, host } = new URL(address.url)
  const { certificate: cert, key, serverCertificate: ca } = address
  const pinned = new X509Certificate(ca)
  const agent = new Agent({
    keepAlive: true,
    cert,
    key,
    ca,
    allowPartialTrustChain: true,
    // The certificate is for any name, so only the pinned one proves the identity.
    checkServerIdentity: (_host: string, { raw }: { readonly raw: Buffer }) =>
      pinned.raw.equals(raw)
        ? undefined
        : new Error('the server has another certificate than LXD_SERVER_CERTIFICATE_PATH'),
  })
  return {
    options: { host: hostname.replaceAll(/[[\]]/g, ''), port: port === '' ? 443 : Number(port), agent },
    request: httpsRequest,
    webSocket: (at) => new WebSocket(`wss://${host}${at}`, { handshakeTimeout: REQUEST_MS, agent }),
  }
}

interface Response {
  readonly status: number
  readonly at: Date
  readonly etag: string | null
  readonly text: string
}

class TooLong extends Error {}

/** @throws TooLong */
function responseOf(
  { request, options }: Connection,
  { body, ...call }: RequestOptions & { readonly body: string | undefined },
  maxBytes = Infinity,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, ...call }, (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > maxBytes) response.destroy(new TooLong())
      })
      response.on('error', reject)
      response.on('end', () => {
        const { date, etag } = response.headers
        resolve({
          status: response.statusCode ?? 0,
          at: date === undefined ? wholeSeconds(new Date()) : new Date(date),
          etag: etag ?? null,
          text: Buffer.concat(chunks).toString(),
        })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
