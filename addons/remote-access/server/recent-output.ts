/** Bytes of output that are stored for a page that reconnects: some screens of text. */
const KEPT_BYTES = 128 * 1024
const FIRST_BYTES = 4 * 1024

/** The last output of a shell, in a ring that grows with it. */
export class RecentOutput {
  #ring = Buffer.allocUnsafe(FIRST_BYTES)
  #total = 0

  push(bytes: Buffer): void {
    while (this.#ring.length < KEPT_BYTES && this.#total + bytes.length > this.#ring.length) {
      const larger = Buffer.allocUnsafe(this.#ring.length * 2)
      this.#ring.copy(larger)
      this.#ring = larger
    }
    let rest = bytes.subarray(Math.max(0, bytes.length - this.#ring.length))
    this.#total += bytes.length - rest.length
    while (rest.length > 0) {
      const copied = rest.copy(this.#ring, this.#total % this.#ring.length)
      this.#total += copied
      rest = rest.subarray(copied)
    }
  }

  /**
   * Returns the output after the first `received` bytes. If some of it is no longer kept, returns what is kept, which
   * begins at another byte.
   */
  since(received: number): { from: number; bytes: Buffer } {
    const kept = Math.max(0, this.#total - this.#ring.length)
    const from = received >= kept && received <= this.#total ? received : kept
    const start = from % this.#ring.length
    const length = this.#total - from
    const first = this.#ring.subarray(start, start + length)
    return { from, bytes: Buffer.concat([first, this.#ring.subarray(0, length - first.length)]) }
  }
}
