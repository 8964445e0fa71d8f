import { randomBytes } from 'node:crypto'
import { type RawData, WebSocket } from 'ws'
import { WATCHING } from '@trainyard/contract/words/watching.ts'
import { hashToken } from '../../../core/tokens.ts'
import { writeAnswer } from '../../clean-path.ts'
import { closePage } from '../../close-page.ts'
import type { View, Watcher } from '../watcher.ts'
import type { Opening } from './opening.ts'
import { beginsUpdate } from './rdp.ts'
import { isPacket, Units } from './units.ts'

/** A client that does not open within this time shows nothing. */
const OPEN_MS = 20_000
/** Bytes on their way to a watcher at which they get no more, and go on again. */
const AHEAD_MOST = 1024 * 1024
const AHEAD_AGAIN = 64 * 1024

export interface Shown {
  readonly opening: Opening
  /** The units that tell a client of the codec of all later updates; empty: they need none. */
  readonly codec: () => readonly Buffer[]
  /** The machine's confirmation, for a client that speaks TLS alone, its certificates and its name. */
  readonly answer: Parameters<typeof writeAnswer>[0]
  /** Asks for a whole picture; soon for who has none yet. */
  refresh(soon: boolean): void
  /** Answers false when the machine wants no more for now. */
  acted(watcher: Watcher, unit: Buffer): boolean
  leave(watcher: Watcher, sentence: string): void
}

/**
 * The picture of a desktop for one watcher. Their page runs the same client as the learner's, and is answered as that was:
 * the machine is not asked. What the machine draws from then on goes to both.
 */
export class DesktopView implements View {
  readonly #ticket = randomBytes(32).toString('base64url')
  readonly hash = hashToken(this.#ticket)
  readonly #watcher: Watcher<DesktopView>
  readonly #of: Shown
  #state: 'waits' | 'opens' | 'joins' | 'follows' | 'is behind' = 'waits'
  #socket: WebSocket | null = null
  #patience: NodeJS.Timeout | null = null
  #sent = 0
  #told = 0
  #isAnswered = false
  #openings = 0

  constructor(watcher: Watcher<DesktopView>, of: Shown) {
    this.#watcher = watcher
    this.#of = of
  }

  begin(): void {
    const { learner } = this.#watcher.watch
    this.#patience = setTimeout(() => this.#of.leave(this.#watcher, WATCHING.notShown), OPEN_MS)
    this.#openings += 1
    const ticket = `${this.#ticket}.${this.#openings}`
    this.#watcher.tell({ kind: 'desktop', learner, ticket })
  }

  /** The client that shows it knows no other size than its first: another one takes its place. */
  openAnew(): void {
    if (this.#openings === 0) return
    this.close()
    this.#state = 'waits'
    this.#sent = 0
    this.#told = 0
    this.#isAnswered = false
    this.begin()
  }

  /** Its picture's socket has come; answers false where one came before, or it is one of an opening before. */
  attach(socket: WebSocket, opening: string | undefined): boolean {
    if (this.#state !== 'waits' || opening !== String(this.#openings)) return false
    this.#state = 'opens'
    this.#socket = socket
    const units = new Units()
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
    this.#send(writeAnswer(this.#of.answer))
    return true
  }

  /** A unit of the machine's that clients of watchers hear too. */
  update(unit: Buffer): void {
    if (this.#state === 'waits' || this.#state === 'opens') return
    if (isPacket(unit)) return this.#send(unit)
    const begins = beginsUpdate(unit)
    if (this.#state === 'joins' && begins) this.#state = 'follows'
    if (this.#state !== 'follows') return
    if (begins && this.#socket!.bufferedAmount > AHEAD_MOST) this.#state = 'is behind'
    else this.#send(unit)
  }

  /** Their client stands: what had come in one with the end of its opening would have been lost to it. */
  shown(): void {
    if (this.#state !== 'opens' || !this.#isAnswered) return
    clearTimeout(this.#patience!)
    this.#state = 'joins'
    for (const unit of this.#of.codec()) this.#send(unit)
    this.#of.refresh(true)
  }

  goOn(): void {
    this.#socket?.resume()
  }

  close(): void {
    if (this.#patience !== null) clearTimeout(this.#patience)
    const socket = this.#socket
    // Nothing that it says from here on is heard.
    this.#socket = null
    if (socket !== null) closePage(socket)
  }

  #hear(unit: Buffer): void {
    if (!isPacket(unit)) {
      if (this.#state !== 'opens' && !this.#of.acted(this.#watcher, unit)) this.#socket?.pause()
      return
    }
    if (this.#state !== 'opens') return
    this.#sent += 1
    const { packets, isOver } = this.#of.opening.after(this.#sent, this.#told)
    this.#told += packets.length
    for (const packet of packets) this.#send(packet)
    this.#isAnswered = isOver
  }

  readonly #drained = (): void => {
    if (this.#socket === null || this.#state !== 'is behind' || this.#socket.bufferedAmount > AHEAD_AGAIN) return
    this.#state = 'joins'
    this.#of.refresh(false)
  }

  #send(unit: Buffer): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(unit, { binary: true }, this.#drained)
  }
}
