import { join, le32 } from './bytes.ts'
import { indication } from './connect.ts'

const CHUNK = 1_600
const FIRST = 1
const LAST = 2
const MAX_LENGTH = 1024 * 1024

/** A static virtual channel, which splits messages into chunks. Source: MS-RDPBCGR, section 2.2.6.1 */
export class Channel {
  readonly #id: number
  readonly #send: (bytes: Buffer) => void
  #received: Buffer[] = []
  #length = 0

  constructor(id: number, send: (bytes: Buffer) => void) {
    this.#id = id
    this.#send = send
  }

  send(message: Buffer): void {
    for (let offset = 0; offset < message.length || offset === 0; offset += CHUNK) {
      const flags = 0x10 | (offset === 0 ? FIRST : 0) | (offset + CHUNK >= message.length ? LAST : 0)
      this.#send(indication(this.#id, join(le32(message.length, flags), message.subarray(offset, offset + CHUNK))))
    }
  }

  receive(chunk: Buffer): Buffer | null {
    const flags = chunk.readUInt32LE(4)
    if (flags & FIRST) {
      this.#received = []
      this.#length = 0
    }
    this.#length += chunk.length - 8
    if (this.#length > MAX_LENGTH) throw new Error('The message is too long.')
    this.#received.push(chunk.subarray(8))
    return flags & LAST ? Buffer.concat(this.#received) : null
  }
}
