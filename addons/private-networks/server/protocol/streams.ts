import { Duplex } from 'node:stream'
import { WebSocket } from 'ws'

/** Maximum number of bytes in each direction of a stream that were sent and that the receiver has not consumed. */
export const WINDOW_BYTES = 256 * 1024
const FRAME_BYTES = 32 * 1024
/** Maximum size of a WebSocket message. */
export const MESSAGE_BYTES = FRAME_BYTES + 1_024
export const STREAMS_MAX = 1_000
const HEADER_BYTES = 5
/**
 * Maximum number of received frames of a stream that wait for its reader, because the window alone would allow a frame
 * per byte.
 */
export const WAITING_FRAMES_MAX = 8_192

const FRAME = {
  /** Sent by the portal to the agent, with a ticket. */
  open: 1,
  opened: 2,
  refused: 3,
  data: 4,
  /** The receiver consumed this many bytes. */
  window: 5,
  /** End of the data in this direction. */
  end: 6,
  /** The stream was aborted. */
  reset: 7,
} as const

/** Reason why an agent did not open a stream. */
export type StreamRefusal = 'ticket' | 'range' | 'unreachable' | 'busy'
const REFUSALS: readonly StreamRefusal[] = ['ticket', 'range', 'unreachable', 'busy']

export class StreamRefused extends Error {
  override readonly name = 'StreamRefused'
  readonly reason: StreamRefusal

  constructor(reason: StreamRefusal) {
    super(`The agent refused the connection: ${reason}.`)
    this.reason = reason
  }
}

/** Connections through one WebSocket. Each has its own flow control, so that a slow one does not delay the others. */
export class Streams {
  readonly #socket: WebSocket
  /** null on the portal's side: only the portal opens streams. */
  readonly #accept: ((ticket: string, stream: Duplex) => Promise<void>) | null
  readonly #streams = new Map<number, Stream>()
  #lastId = 0

  /** @param accept connects a stream, or throws StreamRefused */
  constructor(socket: WebSocket, accept: ((ticket: string, stream: Duplex) => Promise<void>) | null) {
    this.#socket = socket
    this.#accept = accept
    socket.on('message', (data, isBinary) => {
      if (isBinary && !this.#receive(data as Buffer)) socket.terminate()
    })
    socket.on('close', () => {
      for (const stream of this.#streams.values()) stream.destroy()
    })
  }

  get size(): number {
    return this.#streams.size
  }

  /** @throws StreamRefused */
  open(ticket: string, signal: AbortSignal): Promise<Duplex> {
    if (this.#streams.size >= STREAMS_MAX) return Promise.reject(new StreamRefused('busy'))
    do this.#lastId = (this.#lastId + 1) % 2 ** 32
    while (this.#streams.has(this.#lastId))
    const stream = this.#add(this.#lastId, false)
    return new Promise((resolve, reject) => {
      const settle = () => {
        signal.removeEventListener('abort', giveUp)
        stream.off('close', fail)
      }
      const fail = () => {
        settle()
        reject(stream.refusal ?? new StreamRefused('unreachable'))
      }
      const giveUp = () => void stream.destroy()
      stream.once('close', fail)
      signal.addEventListener('abort', giveUp, { once: true })
      stream.onOpened = () => {
        settle()
        resolve(stream)
      }
      stream.send(FRAME.open, Buffer.from(ticket))
      if (signal.aborted) giveUp()
    })
  }

  #add(id: number, isOpen: boolean): Stream {
    const stream = new Stream((kind, content, sent) => this.#send(kind, id, content, sent), isOpen)
    this.#streams.set(id, stream)
    stream.once('close', () => this.#streams.delete(id))
    // The user of the stream receives the error too. Without this listener, an error before that would end the process.
    stream.on('error', () => {})
    return stream
  }

  #send(kind: number, id: number, content: Buffer, sent: () => void): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return sent()
    const header = Buffer.alloc(HEADER_BYTES)
    header[0] = kind
    header.writeUInt32BE(id, 1)
    this.#socket.send(Buffer.concat([header, content]), { binary: true }, sent)
  }

  /** Returns false if the other side violates the protocol. */
  #receive(frame: Buffer): boolean {
    if (frame.length < HEADER_BYTES) return false
    const kind = frame[0]
    const id = frame.readUInt32BE(1)
    const content = frame.subarray(HEADER_BYTES)
    const stream = this.#streams.get(id)
    if (kind === FRAME.open) {
      if (this.#accept === null || stream !== undefined) return false
      this.#serve(id, content.toString('utf8'), this.#accept)
      return true
    }
    // The stream was aborted on this side before the frame arrived.
    if (stream === undefined) return true
    return stream.receive(kind, content)
  }

  #serve(id: number, ticket: string, accept: (ticket: string, stream: Duplex) => Promise<void>): void {
    const isFull = this.#streams.size >= STREAMS_MAX
    const stream = this.#add(id, true)
    // The portal accepts data only after the frame `opened`.
    stream.cork()
    const accepted = isFull ? Promise.reject(new StreamRefused('busy')) : accept(ticket, stream)
    accepted.then(
      () => {
        stream.send(FRAME.opened, Buffer.alloc(0))
        stream.uncork()
      },
      (error: unknown) => {
        const reason = error instanceof StreamRefused ? error.reason : 'unreachable'
        stream.send(FRAME.refused, Buffer.from([REFUSALS.indexOf(reason)]))
        stream.destroy()
      },
    )
  }
}

type Send = (kind: number, content: Buffer, sent: () => void) => void

class Stream extends Duplex {
  refusal: StreamRefused | null = null
  onOpened: (() => void) | null = null
  readonly #sendFrame: Send
  /** Number of bytes that may be sent. */
  #credit = WINDOW_BYTES
  #unsent: { bytes: Buffer; readonly done: (error?: Error | null) => void } | null = null
  /** Received chunks that the reader has not requested yet; null: the end. */
  readonly #received: (Buffer | null)[] = []
  /** Number of received bytes for which no credit was returned. */
  #uncredited = 0
  /** Number of consumed bytes for which no credit was returned. */
  #consumed = 0
  #reading = false
  #otherAborted = false
  #otherEnded = false
  /** True once data may arrive. */
  #isOpen: boolean

  constructor(sendFrame: Send, isOpen: boolean) {
    // Received frames wait in `#received`, whose length is limited, and not in the buffer of the Duplex.
    super({ allowHalfOpen: false, readableHighWaterMark: 1 })
    this.#sendFrame = sendFrame
    this.#isOpen = isOpen
  }

  send(kind: number, content: Buffer, sent: () => void = () => {}): void {
    this.#sendFrame(kind, content, sent)
  }

  /** Returns false if the other side violates the protocol. */
  receive(kind: number | undefined, content: Buffer): boolean {
    switch (kind) {
      case FRAME.opened:
        if (this.#isOpen || this.onOpened === null) return false
        this.#isOpen = true
        this.onOpened()
        return true
      case FRAME.refused:
        this.refusal = new StreamRefused(REFUSALS[content[0] ?? -1] ?? 'unreachable')
        this.#abort()
        return true
      case FRAME.data:
        if (!this.#isOpen || this.#otherEnded || content.length === 0) return false
        this.#uncredited += content.length
        if (this.#uncredited > WINDOW_BYTES) return false
        this.#received.push(Buffer.from(content))
        this.#flush()
        if (this.#received.length > WAITING_FRAMES_MAX) this.destroy()
        return true
      case FRAME.window:
        if (content.length !== 4) return false
        this.#credit += content.readUInt32BE(0)
        if (this.#credit > WINDOW_BYTES) return false
        this.#sendUnsent()
        return true
      case FRAME.end:
        if (!this.#isOpen || this.#otherEnded) return false
        this.#otherEnded = true
        this.#received.push(null)
        this.#flush()
        return true
      case FRAME.reset:
        this.#abort()
        return true
      default:
        return false
    }
  }

  #abort(): void {
    this.#otherAborted = true
    this.destroy()
  }

  override _read(): void {
    this.#reading = true
    this.#flush()
  }

  #flush(): void {
    while (this.#reading && this.#received.length > 0) {
      const chunk = this.#received.shift()!
      this.#reading = this.push(chunk)
      this.#consumed += chunk?.length ?? 0
    }
    // Small credits are collected, so that typing does not cause a frame per key.
    if (this.#consumed < WINDOW_BYTES / 4) return
    const credit = Buffer.alloc(4)
    credit.writeUInt32BE(this.#consumed)
    this.#uncredited -= this.#consumed
    this.#consumed = 0
    this.send(FRAME.window, credit)
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (chunk.length === 0) return done()
    this.#unsent = { bytes: chunk, done }
    this.#sendUnsent()
  }

  #sendUnsent(): void {
    const unsent = this.#unsent
    if (unsent === null || this.#credit === 0) return
    const part = unsent.bytes.subarray(0, Math.min(this.#credit, FRAME_BYTES))
    this.#credit -= part.length
    this.#unsent = null
    // Each stream has one frame in the socket's queue, so that streams take turns.
    this.send(FRAME.data, part, () => {
      if (part.length === unsent.bytes.length) return unsent.done()
      this.#unsent = { ...unsent, bytes: unsent.bytes.subarray(part.length) }
      this.#sendUnsent()
    })
  }

  override _final(done: (error?: Error | null) => void): void {
    this.send(FRAME.end, Buffer.alloc(0), () => done())
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const isComplete = this.writableFinished && this.readableEnded
    if (!isComplete && !this.#otherAborted) this.send(FRAME.reset, Buffer.alloc(0))
    this.#unsent?.done(error ?? new Error('The stream was closed.'))
    this.#unsent = null
    done(error)
  }
}
