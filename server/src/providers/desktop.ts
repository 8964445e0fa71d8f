import type { Duplex } from 'node:stream'

/** Why a machine's desktop could not be had. */
export type DesktopErrorKind = 'unreachable' | 'otherCertificate' | 'withoutTls'

export class DesktopError extends Error {
  override readonly name = 'DesktopError'
  readonly kind: DesktopErrorKind

  constructor(kind: DesktopErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

export interface DesktopTarget {
  /** A public IP address. */
  readonly address: string
  /** Asked before anything of the client's is sent in TLS: whether this certificate (DER) is the machine's. */
  readonly isItsCertificate: (shown: Buffer) => Promise<boolean>
}

/** A machine's desktop, as far as TLS: what is said in it is the client's affair. */
export interface Desktop {
  /** The machine's answer to the client's connection request. */
  readonly confirm: Buffer
  /** Its certificates (DER), its own first. */
  readonly chain: readonly Buffer[]
  readonly stream: Duplex
}

/** Opens the desktops of machines, by the Remote Desktop Protocol. */
export interface Desktops {
  /** @param request the client's connection request. @throws DesktopError */
  open(target: DesktopTarget, request: Buffer, signal: AbortSignal): Promise<Desktop>
}
