/** Why a machine's shell could not be had. */
export type ShellErrorKind = 'unreachable' | 'loginRefused' | 'otherKey'

export class ShellError extends Error {
  override readonly name = 'ShellError'
  readonly kind: ShellErrorKind

  constructor(kind: ShellErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

export interface ShellTarget {
  /** A public IP address. */
  readonly address: string
  readonly account: string
  readonly password: string
  /** Asked before anything secret is sent: whether this public host key is the machine's. */
  readonly isItsKey: (shown: Buffer) => Promise<boolean>
}

export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface ShellEvents {
  printed(bytes: Buffer): void
  /** The shell takes input again after `type` answered false. */
  drained(): void
  /** Over: `left` when the shell itself ended, `cut` when the connection did. */
  over(how: 'left' | 'cut'): void
}

/** A shell on a machine, with a terminal. */
export interface Shell {
  /** Answers false when it wants no more for now. */
  type(bytes: Buffer): boolean
  resize(size: Size): void
  /** Stops and goes on printing. */
  hold(): void
  goOn(): void
  close(): void
}

/** Opens shells on Linux machines. */
export interface Shells {
  /** The public host key that the machine shows; nothing is sent to it. @throws ShellError */
  keyOf(address: string, signal: AbortSignal): Promise<Buffer>
  /** @throws ShellError */
  open(target: ShellTarget, size: Size, events: ShellEvents, signal: AbortSignal): Promise<Shell>
}
