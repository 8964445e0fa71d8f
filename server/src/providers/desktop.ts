import type { Duplex } from 'node:stream'

export type DesktopErrorKind = 'unreachable' | 'otherCertificate' | 'withoutTls'

export class DesktopError extends Error {
  override readonly name = 'DesktopError'
  readonly kind: DesktopErrorKind

  constructor(kind: DesktopErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

interface DesktopTarget {
  readonly address: string
  /** Returns true if this certificate (DER) is the machine's. Called before any client data is sent over TLS. */
  readonly isTrustedCertificate: (shown: Buffer) => Promise<boolean>
}

/** A machine's desktop connection up to TLS. The client handles everything inside. */
export interface Desktop {
  /** The machine's answer to the client's connection request. */
  readonly confirm: Buffer
  /** The certificates (DER), the machine's own first. */
  readonly chain: readonly Buffer[]
  readonly stream: Duplex
}

export interface Desktops {
  /** @param request the client's connection request. @throws DesktopError */
  open(target: DesktopTarget, request: Buffer, signal: AbortSignal): Promise<Desktop>
}
