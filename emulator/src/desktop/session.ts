import type { TLSSocket } from 'node:tls'
import { Channel } from './channel.ts'
import { Clipboard } from './clipboard.ts'
import * as mcs from './connect.ts'
import { click, type DesktopContent, draw } from './content.ts'
import { Display, MAX_HEIGHT, MAX_WIDTH } from './display.ts'
import { unitsOf } from './framing.ts'
import { characterOf, type Input, inputsOf } from './input.ts'
import { Picture } from './picture.ts'
import { answerTo, DATA, dataIn, deactivateAll, demandActive } from './share.ts'

const FRAME_MS = 40
/** Unsent bytes at which frames are skipped. */
const MAX_UNSENT_BYTES = 512 * 1024
const MAX_NOTES = 20_000
const SHIFTS = [0x2a, 0x36]
const CONTROLS = [0x1d, 0xe01d]
const BACKSPACE = 0x0e

export class DesktopSession {
  readonly #socket: TLSSocket
  readonly #desktop: DesktopContent
  readonly #mayLogIn: (account: string, password: string) => boolean
  readonly #channels = new Map<number, (chunk: Buffer) => void>()
  readonly #pressed = new Set<number>()
  #settings: mcs.ClientSettings = { width: 1024, height: 768, channels: [] }
  #picture = new Picture(1024, 768)
  #clipboard: Clipboard | null = null
  #display: Display | null = null
  #begun = false
  #frames: NodeJS.Timeout | null = null
  #received = Buffer.alloc(0)

  constructor(socket: TLSSocket, desktop: DesktopContent, mayLogIn: (account: string, password: string) => boolean) {
    this.#socket = socket
    this.#desktop = desktop
    this.#mayLogIn = mayLogIn
    socket.on('data', (bytes: Buffer) => {
      try {
        const { units, rest } = unitsOf(Buffer.concat([this.#received, bytes]))
        this.#received = Buffer.from(rest)
        for (const unit of units) {
          if (unit.kind === 'packet') this.#receive(unit.bytes)
          else for (const input of inputsOf(unit.bytes)) this.#take(input)
        }
      } catch {
        // Windows also disconnects a client that sends invalid data.
        socket.destroy()
      }
    })
    socket.on('close', () => this.#stop())
  }

  #send = (bytes: Buffer): void => void this.#socket.write(bytes)

  #receive(packet: Buffer): void {
    const data = mcs.dataOf(packet)
    if (data !== null) return this.#receiveData(data.channel, data.data)
    const kind = packet[7]
    if (kind === 0x7f) {
      this.#settings = mcs.readClientSettings(packet)
      this.#size(this.#settings.width, this.#settings.height)
      this.#send(mcs.connectResponse(this.#settings))
    }
    if (kind === 0x28) this.#send(mcs.attachConfirm())
    if (kind === 0x38) this.#send(mcs.joinConfirm(packet.readUInt16BE(10)))
    if (kind === 0x21) this.#socket.end()
  }

  #receiveData(channel: number, data: Buffer): void {
    if (channel !== mcs.IO_CHANNEL) return this.#channels.get(channel)?.(data)
    // The account is sent once, before the session is offered. The flag marks this message.
    if (!this.#begun && this.#channels.size === 0 && data.readUInt16LE(0) & 0x40) {
      const { account, password } = mcs.readAccount(data)
      if (!this.#mayLogIn(account, password)) return void this.#socket.end(mcs.disconnectMessage())
      this.#openChannels()
      this.#send(mcs.noLicenceNeeded())
      return this.#send(demandActive(this.#picture.width, this.#picture.height))
    }
    const said = dataIn(data)
    if (said === null) return
    if (said.kind === DATA.shutdown) return void this.#socket.end(mcs.disconnectMessage())
    // Section 2.2.11.2. The whole screen is sent, whatever rectangle was requested.
    if (said.kind === DATA.refreshRect) return this.#picture.markAllChanged()
    const answer = answerTo(said)
    if (answer === null) return
    // Windows also sends this in a separate TLS record; IronRDP loses data that arrives in the previous one.
    this.#socket.write(answer, () => {
      if (said.kind === DATA.fontList && !this.#socket.destroyed) this.#begin()
    })
  }

  #openChannels(): void {
    this.#settings.channels.forEach((name, i) => {
      const channel = new Channel(mcs.IO_CHANNEL + 1 + i, this.#send)
      const listener =
        name === 'cliprdr'
          ? (this.#clipboard = new Clipboard(channel, (text) => this.#note(text)))
          : name === 'drdynvc'
            ? (this.#display = new Display(channel, (width, height) => this.#resize(width, height)))
            : null
      this.#channels.set(mcs.IO_CHANNEL + 1 + i, (chunk) => {
        const message = channel.receive(chunk)
        if (message !== null) listener?.receive(message)
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
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) return
    draw(this.#desktop, this.#picture, performance.now())
    for (const update of this.#picture.updates()) this.#send(update)
  }

  /** Rows are sent in groups of four pixels, so the width must be a multiple of four. */
  #size(width: number, height: number): void {
    const within = (value: number, most: number) => Math.min(most, Math.max(200, value)) & ~3
    this.#picture = new Picture(within(width, MAX_WIDTH), within(height, MAX_HEIGHT))
  }

  #resize(width: number, height: number): void {
    this.#stop()
    this.#size(width, height)
    this.#send(deactivateAll())
    this.#send(demandActive(this.#picture.width, this.#picture.height))
  }

  #note(text: string): void {
    this.#desktop.notes = (this.#desktop.notes + text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')).slice(-MAX_NOTES)
  }

  #take(input: Input): void {
    if (input.kind === 'mouse') {
      if ((input.flags & 0x9000) === 0x9000) click(this.#desktop, input.x, input.y)
      return
    }
    if (input.kind === 'text') {
      if (input.down) this.#note(String.fromCharCode(input.unit))
      return
    }
    if (!input.down) return void this.#pressed.delete(input.code)
    this.#pressed.add(input.code)
    if (CONTROLS.some((code) => this.#pressed.has(code))) return this.#command(input.code)
    if (input.code === BACKSPACE) {
      this.#desktop.notes = this.#desktop.notes.slice(0, -1)
      return
    }
    const character = characterOf(
      input.code,
      SHIFTS.some((code) => this.#pressed.has(code)),
    )
    if (character !== null) this.#note(character)
  }

  #command(code: number): void {
    const key = characterOf(code, false)
    if (key === 'c') this.#clipboard?.copy(this.#desktop.notes)
    if (key === 'v') this.#clipboard?.paste()
  }
}
