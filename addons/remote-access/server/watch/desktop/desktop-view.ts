import { randomBytes } from 'node:crypto'
import { type RawData, WebSocket } from 'ws'
import { WATCHING } from '../../../contract/watching.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { encodeResponse } from '../../clean-path.ts'
import { closePage } from '../../close-page.ts'
import type { View, Watcher } from '../watcher.ts'
import type { RecordedHandshake } from './recorded-handshake.ts'
import { beginsUpdate } from './rdp.ts'
import { isPacket, PduSplitter } from './pdu-splitter.ts'

const OPEN_MS = 20_000
const MAX_BUFFERED_BYTES = 1024 * 1024
const RESUME_BYTES = 64 * 1024

export interface SharedDesktop {
  readonly opening: RecordedHandshake
  readonly codec: () => readonly Buffer[]
  readonly answer: Parameters<typeof encodeResponse>[0]
  /** Requests a full redraw. `soon` is true for a watcher who has no picture yet. */
  refresh(soon: boolean): void
  acted(watcher: Watcher, unit: Buffer): boolean
  leave(watcher: Watcher, sentence: string): void
}

/**
 * View of a desktop. The watcher's page runs the learner's RDP client on the recorded handshake, without contacting the
 * machine.
 */
export class DesktopView implements View {
  readonly #ticket = randomBytes(32).toString('base64url')
  readonly hash = hashToken(this.#ticket)
  readonly #watcher: Watcher<DesktopView>
  readonly #of: SharedDesktop
  #state: 'waiting' | 'opening' | 'joining' | 'following' | 'behind' = 'waiting'
  #socket: WebSocket | null = null
  #openTimeout: NodeJS.Timeout | null = null
  #sent = 0
  #told = 0
  #isAnswered = false
  #openings = 0

  constructor(watcher: Watcher<DesktopView>, desktop: SharedDesktop) {
    this.#watcher = watcher
    this.#of = desktop
  }

  begin(): void {
    const { learner } = this.#watcher.watch
    this.#openTimeout = setTimeout(() => this.#of.leave(this.#watcher, WATCHING.notShown), OPEN_MS)
    this.#openings += 1
    const ticket = `${this.#ticket}.${this.#openings}`
    this.#watcher.send({ kind: 'desktop', learner, ticket })
  }

  /** Replaces the client, which cannot change its size. */
  reopen(): void {
    if (this.#openings === 0) return
    this.close()
    this.#state = 'waiting'
    this.#sent = 0
    this.#told = 0
    this.#isAnswered = false
    this.begin()
  }

  /** Attaches the socket of the view. Returns false if one is attached or the socket belongs to an earlier opening. */
  attach(socket: WebSocket, opening: string | undefined): boolean {
    if (this.#state !== 'waiting' || opening !== String(this.#openings)) return false
    this.#state = 'opening'
    this.#socket = socket
    const units = new PduSplitter()
    socket.on('message', (data: RawData) => {
      if (this.#socket !== socket) return
      try {
        for (const unit of units.take(data as Buffer)) this.#hear(unit)
      } catch {
        this.#of.leave(this.#watcher, WATCHING.notShown)
      }
    })
    socket.on('close', () => {
      if (this.#socket === socket) this.#of.leave(this.#watcher, WATCHING.left)
    })
    this.#send(encodeResponse(this.#of.answer))
    return true
  }

  update(unit: Buffer): void {
    if (this.#state === 'waiting' || this.#state === 'opening') return
    if (isPacket(unit)) return this.#send(unit)
    const begins = beginsUpdate(unit)
    if (this.#state === 'joining' && begins) this.#state = 'following'
    if (this.#state !== 'following') return
    if (begins && this.#socket!.bufferedAmount > MAX_BUFFERED_BYTES) this.#state = 'behind'
    else this.#send(unit)
  }

  /** Data that was sent together with the end of the handshake would have been lost. */
  shown(): void {
    if (this.#state !== 'opening' || !this.#isAnswered) return
    clearTimeout(this.#openTimeout!)
    this.#state = 'joining'
    for (const unit of this.#of.codec()) this.#send(unit)
    this.#of.refresh(true)
  }

  resume(): void {
    this.#socket?.resume()
  }

  close(): void {
    if (this.#openTimeout !== null) clearTimeout(this.#openTimeout)
    const socket = this.#socket
    this.#socket = null
    if (socket !== null) closePage(socket)
  }

  #hear(unit: Buffer): void {
    if (!isPacket(unit)) {
      if (this.#state !== 'opening' && !this.#of.acted(this.#watcher, unit)) this.#socket?.pause()
      return
    }
    if (this.#state !== 'opening') return
    this.#sent += 1
    const { packets, isLast } = this.#of.opening.packetsAfter(this.#sent, this.#told)
    this.#told += packets.length
    for (const packet of packets) this.#send(packet)
    this.#isAnswered = isLast
  }

  readonly #drained = (): void => {
    if (this.#socket === null || this.#state !== 'behind' || this.#socket.bufferedAmount > RESUME_BYTES) return
    this.#state = 'joining'
    this.#of.refresh(false)
  }

  #send(unit: Buffer): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(unit, { binary: true }, this.#drained)
  }
}
