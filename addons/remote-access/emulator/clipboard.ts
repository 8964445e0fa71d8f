import { join, le16, le32 } from './bytes.ts'
import type { Channel } from './channel.ts'

const UNICODE_TEXT = 13
const OK = 1
/** Source: MS-RDPECLIP, section 2.2, https://learn.microsoft.com/openspecs/windows_protocols/ms-rdpeclip/ */
const MESSAGE = { ready: 1, formats: 2, formatsTaken: 3, ask: 4, answer: 5, capabilities: 7 } as const

const message = (kind: number, flags: number, body: Buffer = Buffer.alloc(0)): Buffer =>
  join(le16(kind, flags), le32(body.length), body)

export class Clipboard {
  readonly #channel: Channel
  readonly #pasted: (text: string) => void
  #text = ''
  #theyHaveText = false

  constructor(channel: Channel, pasted: (text: string) => void) {
    this.#channel = channel
    this.#pasted = pasted
  }

  begin(): void {
    this.#channel.send(message(MESSAGE.capabilities, 0, join(le16(1, 0, 1, 12), le32(2, 2))))
    this.#channel.send(message(MESSAGE.ready, 0))
  }

  copy(text: string): void {
    this.#text = text
    this.#theyHaveText = false
    this.#channel.send(message(MESSAGE.formats, 0, join(le32(UNICODE_TEXT), le16(0))))
  }

  paste(): void {
    if (this.#theyHaveText) this.#channel.send(message(MESSAGE.ask, 0, le32(UNICODE_TEXT)))
    else this.#pasted(this.#text)
  }

  receive(bytes: Buffer): void {
    const body = bytes.subarray(8)
    switch (bytes.readUInt16LE(0)) {
      case MESSAGE.formats: {
        this.#theyHaveText = body.includes(le32(UNICODE_TEXT))
        return this.#channel.send(message(MESSAGE.formatsTaken, OK))
      }
      case MESSAGE.ask:
        return this.#channel.send(message(MESSAGE.answer, OK, Buffer.from(`${this.#text}\0`, 'utf16le')))
      case MESSAGE.answer:
        if (bytes.readUInt16LE(2) === OK) this.#pasted(body.toString('utf16le').replace(/\0.*$/s, ''))
    }
  }
}
