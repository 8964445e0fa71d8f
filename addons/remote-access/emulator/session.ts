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

/** First byte of the client's messages, ITU-T T.125. */
const MCS = { connectInitial: 0x7f, attachUserRequest: 0x28, channelJoinRequest: 0x38, disconnectUltimatum: 0x21 }
/** PTRFLAGS_DOWN and PTRFLAGS_BUTTON1. */
const LEFT_BUTTON_DOWN = 0x9000

const FRAME_MS = 40
/** Frames are skipped while more unsent bytes than this are buffered. */
const MAX_UNSENT_BYTES = 512 * 1024
const MAX_NOTES = 20_000
/** Scan codes of the left and right key. */
const SHIFT_CODES = [0x2a, 0x36]
const CONTROL_CODES = [0x1d, 0xe01d]
const BACKSPACE_CODE = 0x0e

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
  #hasStarted = false
  #frameTimer: NodeJS.Timeout | null = null
  #received = Buffer.alloc(0)

  constructor(
    socket: TLSSocket,
    desktop: DesktopContent,
    acceptsLogin: (account: string, password: string) => boolean,
  ) {
    this.#socket = socket
    this.#desktop = desktop
    this.#mayLogIn = acceptsLogin
    socket.on('data', (bytes: Buffer) => {
      try {
        const { units, rest } = unitsOf(Buffer.concat([this.#received, bytes]))
        this.#received = Buffer.from(rest)
        for (const unit of units) {
          if (unit.kind === 'packet') this.#receive(unit.bytes)
          else for (const input of inputsOf(unit.bytes)) this.#handleInput(input)
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
    if (kind === MCS.connectInitial) {
      this.#settings = mcs.readClientSettings(packet)
      this.#setSize(this.#settings.width, this.#settings.height)
      this.#send(mcs.connectResponse(this.#settings))
    }
    if (kind === MCS.attachUserRequest) this.#send(mcs.attachConfirm())
    if (kind === MCS.channelJoinRequest) this.#send(mcs.joinConfirm(packet.readUInt16BE(10)))
    if (kind === MCS.disconnectUltimatum) this.#socket.end()
  }

  #receiveData(channel: number, data: Buffer): void {
    if (channel !== mcs.IO_CHANNEL) return this.#channels.get(channel)?.(data)
    // The client sends its account once, before the server offers the session. Flag 0x40 (SEC_INFO_PKT) identifies it.
    if (!this.#hasStarted && this.#channels.size === 0 && data.readUInt16LE(0) & 0x40) {
      const { account, password } = mcs.readAccount(data)
      if (!this.#mayLogIn(account, password)) return void this.#socket.end(mcs.disconnectMessage())
      this.#openChannels()
      this.#send(mcs.noLicenceNeeded())
      return this.#send(demandActive(this.#picture.width, this.#picture.height))
    }
    const message = dataIn(data)
    if (message === null) return
    if (message.kind === DATA.shutdown) return void this.#socket.end(mcs.disconnectMessage())
    // MS-RDPBCGR, section 2.2.11.2. The whole screen is sent instead of the requested rectangle.
    if (message.kind === DATA.refreshRect) return this.#picture.markAllChanged()
    const answer = answerTo(message)
    if (answer === null) return
    // Starts the session in a separate TLS record, as Windows does: IronRDP loses data after the reply in its record.
    this.#socket.write(answer, () => {
      if (message.kind === DATA.fontList && !this.#socket.destroyed) this.#start()
    })
  }

  #openChannels(): void {
    this.#settings.channels.forEach((name, i) => {
      const channel = new Channel(mcs.IO_CHANNEL + 1 + i, this.#send)
      const listener =
        name === 'cliprdr'
          ? (this.#clipboard = new Clipboard(channel, (text) => this.#appendToNotes(text)))
          : name === 'drdynvc'
            ? (this.#display = new Display(channel, (width, height) => this.#resize(width, height)))
            : null
      this.#channels.set(mcs.IO_CHANNEL + 1 + i, (chunk) => {
        const received = channel.receive(chunk)
        if (received !== null) listener?.receive(received)
      })
    })
  }

  #start(): void {
    if (!this.#hasStarted) {
      this.#clipboard?.begin()
      this.#display?.begin()
    }
    this.#hasStarted = true
    this.#frameTimer ??= setInterval(() => this.#sendFrame(), FRAME_MS)
    this.#sendFrame()
  }

  #stop(): void {
    if (this.#frameTimer !== null) clearInterval(this.#frameTimer)
    this.#frameTimer = null
  }

  #sendFrame(): void {
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) return
    draw(this.#desktop, this.#picture, performance.now())
    for (const update of this.#picture.updates()) this.#send(update)
  }

  /** Rows are sent in groups of four pixels, so the width must be a multiple of four. */
  #setSize(width: number, height: number): void {
    const clamp = (value: number, max: number) => Math.min(max, Math.max(200, value)) & ~3
    this.#picture = new Picture(clamp(width, MAX_WIDTH), clamp(height, MAX_HEIGHT))
  }

  #resize(width: number, height: number): void {
    this.#stop()
    this.#setSize(width, height)
    this.#send(deactivateAll())
    this.#send(demandActive(this.#picture.width, this.#picture.height))
  }

  #appendToNotes(text: string): void {
    this.#desktop.notes = (this.#desktop.notes + text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')).slice(-MAX_NOTES)
  }

  #handleInput(input: Input): void {
    if (input.kind === 'mouse') {
      if ((input.flags & LEFT_BUTTON_DOWN) === LEFT_BUTTON_DOWN) click(this.#desktop, input.x, input.y)
      return
    }
    if (input.kind === 'text') {
      if (input.down) this.#appendToNotes(String.fromCharCode(input.unit))
      return
    }
    if (!input.down) return void this.#pressed.delete(input.code)
    this.#pressed.add(input.code)
    if (CONTROL_CODES.some((code) => this.#pressed.has(code))) return this.#runShortcut(input.code)
    if (input.code === BACKSPACE_CODE) {
      this.#desktop.notes = this.#desktop.notes.slice(0, -1)
      return
    }
    const character = characterOf(
      input.code,
      SHIFT_CODES.some((code) => this.#pressed.has(code)),
    )
    if (character !== null) this.#appendToNotes(character)
  }

  #runShortcut(code: number): void {
    const key = characterOf(code, false)
    if (key === 'c') this.#clipboard?.copy(this.#desktop.notes)
    if (key === 'v') this.#clipboard?.paste()
  }
}
