import { join, le32 } from './bytes.ts'
import type { Channel } from './channel.ts'

const NAME = 'Microsoft::Windows::RDS::DisplayControl'
const ID = 1

export const MAX_WIDTH = 3_840
export const MAX_HEIGHT = 2_160

/** Window size of the client. Sources: MS-RDPEDYC, section 2.2, and MS-RDPEDISP, section 2.2 */
export class Display {
  readonly #channel: Channel
  readonly #resized: (width: number, height: number) => void

  constructor(channel: Channel, resized: (width: number, height: number) => void) {
    this.#channel = channel
    this.#resized = resized
  }

  begin(): void {
    this.#channel.send(Buffer.from([0x50, 0, 1, 0]))
  }

  receive(bytes: Buffer): void {
    const command = bytes[0]! >> 4
    // After the client has accepted the capabilities, create the channel. Once it is open, send the allowed sizes.
    if (command === 5) this.#channel.send(join([0x10, ID], Buffer.from(`${NAME}\0`)))
    if (command === 1 && bytes.readUInt32LE(2) === 0) {
      this.#channel.send(join([0x30, ID], le32(5, 20, 1, MAX_WIDTH, MAX_HEIGHT)))
    }
    if (command === 3 && bytes.length >= 38 && bytes.readUInt32LE(2) === 2) {
      this.#resized(bytes.readUInt32LE(2 + 16 + 12), bytes.readUInt32LE(2 + 16 + 16))
    }
  }
}
