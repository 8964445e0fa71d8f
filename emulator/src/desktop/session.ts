import type { TLSSocket } from 'node:tls'
import { Channel } from './channel.ts'
import { Clipboard } from './clipboard.ts'
import * as mcs from './connect.ts'
import { click, type Desk, draw } from './desk.ts'
import { Display, MOST_HEIGHT, MOST_WIDTH } from './display.ts'
import { unitsOf } from './framing.ts'
import { characterOf, type Input, inputsOf } from './input.ts'
import { Picture } from './picture.ts'
import { answerTo, DATA, dataIn, deactivateAll, demandActive } from './share.ts'

/** Pictures a second, at most. */
const FRAME_MS = 40
/** Bytes that a client has not taken yet, at which it gets no more pictures. */
const AHEAD_MOST = 512 * 1024
const MOST_NOTES = 20_000
const SHIFTS = [0x2a, 0x36]
const CONTROLS = [0x1d, 0xe01d]
const BACKSPACE = 0x0e

/** The connection of one who looks at a desk, from the first word after TLS. */
export class DesktopSession {
  readonly #socket: TLSSocket
  readonly #desk: Desk
  readonly #mayLogIn: (account: string, password: string) => boolean
  readonly #channels = new Map<number, (chunk: Buffer) => void>()
  readonly #held = new Set<number>()
  #wishes: mcs.Wishes = { width: 1024, height: 768, channels: [] }
  #picture = new Picture(1024, 768)
  #clipboard: Clipboard | null = null
  #display: Display | null = null
  #begun = false
  #frames: NodeJS.Timeout | null = null
  #heard = Buffer.alloc(0)

  constructor(socket: TLSSocket, desk: Desk, mayLogIn: (account: string, password: string) => boolean) {
    this.#socket = socket
    this.#desk = desk
    this.#mayLogIn = mayLogIn
    socket.on('data', (bytes: Buffer) => {
      try {
        const { units, rest } = unitsOf(Buffer.concat([this.#heard, bytes]))
        this.#heard = Buffer.from(rest)
        for (const unit of units) {
          if (unit.kind === 'packet') this.#hear(unit.bytes)
          else for (const input of inputsOf(unit.bytes)) this.#take(input)
        }
      } catch {
        // A client that errs is cut off, as Windows does.
        socket.destroy()
      }
    })
    socket.on('close', () => this.#stop())
  }

  #send = (bytes: Buffer): void => void this.#socket.write(bytes)

  #hear(packet: Buffer): void {
    const data = mcs.dataOf(packet)
    if (data !== null) return this.#hearData(data.channel, data.data)
    const kind = packet[7]
    if (kind === 0x7f) {
      this.#wishes = mcs.readWishes(packet)
      this.#size(this.#wishes.width, this.#wishes.height)
      this.#send(mcs.connectResponse(this.#wishes))
    }
    if (kind === 0x28) this.#send(mcs.attachConfirm())
    if (kind === 0x38) this.#send(mcs.joinConfirm(packet.readUInt16BE(10)))
    if (kind === 0x21) this.#socket.end()
  }

  #hearData(channel: number, data: Buffer): void {
    if (channel !== mcs.IO_CHANNEL) return this.#channels.get(channel)?.(data)
    // The account comes once, before the session is offered; the flag says that it is this.
    if (!this.#begun && this.#channels.size === 0 && data.readUInt16LE(0) & 0x40) {
      const { account, password } = mcs.readAccount(data)
      if (!this.#mayLogIn(account, password)) return void this.#socket.end(mcs.goodbye())
      this.#openChannels()
      this.#send(mcs.noLicenceNeeded())
      return this.#send(demandActive(this.#picture.width, this.#picture.height))
    }
    const said = dataIn(data)
    if (said === null) return
    if (said.kind === DATA.shutdown) return void this.#socket.end(mcs.goodbye())
    // Section 2.2.11.2; of all of it, whatever part was asked for.
    if (said.kind === DATA.refreshRect) return this.#picture.sendAgain()
    const answer = answerTo(said)
    if (answer === null) return
    // A record of TLS of its own, as Windows writes it: IronRDP loses what comes in one with the end of the connecting.
    this.#socket.write(answer, () => {
      if (said.kind === DATA.fontList && !this.#socket.destroyed) this.#begin()
    })
  }

  #openChannels(): void {
    this.#wishes.channels.forEach((name, i) => {
      const channel = new Channel(mcs.IO_CHANNEL + 1 + i, this.#send)
      const listener =
        name === 'cliprdr'
          ? (this.#clipboard = new Clipboard(channel, (text) => this.#note(text)))
          : name === 'drdynvc'
            ? (this.#display = new Display(channel, (width, height) => this.#resize(width, height)))
            : null
      this.#channels.set(mcs.IO_CHANNEL + 1 + i, (chunk) => {
        const message = channel.hear(chunk)
        if (message !== null) listener?.hear(message)
      })
    })
  }

  #begin(): void {
    if (!this.#begun) {
      this.#clipboard?.begin()
      this.#display?.begin()
    }
    this.#begun = true
    this.#frames ??= setInterval(() => this.#show(), FRAME_MS)
    this.#show()
  }

  #stop(): void {
    if (this.#frames !== null) clearInterval(this.#frames)
    this.#frames = null
  }

  #show(): void {
    if (this.#socket.writableLength > AHEAD_MOST) return
    draw(this.#desk, this.#picture, performance.now())
    for (const update of this.#picture.updates()) this.#send(update)
  }

  /** Rows are sent in fours of pixels. */
  #size(width: number, height: number): void {
    const within = (value: number, most: number) => Math.min(most, Math.max(200, value)) & ~3
    this.#picture = new Picture(within(width, MOST_WIDTH), within(height, MOST_HEIGHT))
  }

  #resize(width: number, height: number): void {
    this.#stop()
    this.#size(width, height)
    this.#send(deactivateAll())
    this.#send(demandActive(this.#picture.width, this.#picture.height))
  }

  #note(text: string): void {
    this.#desk.notes = (this.#desk.notes + text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')).slice(-MOST_NOTES)
  }

  #take(input: Input): void {
    if (input.kind === 'mouse') {
      if ((input.flags & 0x9000) === 0x9000) click(this.#desk, input.x, input.y)
      return
    }
    if (input.kind === 'text') {
      if (input.down) this.#note(String.fromCharCode(input.unit))
      return
    }
    if (!input.down) return void this.#held.delete(input.code)
    this.#held.add(input.code)
    if (CONTROLS.some((code) => this.#held.has(code))) return this.#command(input.code)
    if (input.code === BACKSPACE) {
      this.#desk.notes = this.#desk.notes.slice(0, -1)
      return
    }
    const character = characterOf(
      input.code,
      SHIFTS.some((code) => this.#held.has(code)),
    )
    if (character !== null) this.#note(character)
  }

  #command(code: number): void {
    const key = characterOf(code, false)
    if (key === 'c') this.#clipboard?.copy(this.#desk.notes)
    if (key === 'v') this.#clipboard?.paste()
  }
}
