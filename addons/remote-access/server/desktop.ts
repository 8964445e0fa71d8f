import type { Duplex } from 'node:stream'
import type { MachineAddress } from '@trainyard/templates/server/machine-address.ts'

export type DesktopErrorKind = 'unreachable' | 'noGateway' | 'otherCertificate' | 'withoutTls'

export class DesktopError extends Error {
  override readonly name = 'DesktopError'
  readonly kind: DesktopErrorKind

  constructor(kind: DesktopErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

interface DesktopTarget extends MachineAddress {
  /** Returns true if this certificate (DER) is the machine's. Called before any client data is sent over TLS. */
  readonly isTrustedCertificate: (offered: Buffer) => Promise<boolean>
}

export interface Desktop {
  readonly confirm: Buffer
  /** Certificates (DER), the machine's own first. */
  readonly chain: readonly Buffer[]
  readonly stream: Duplex
}

export interface Desktops {
  open(target: DesktopTarget, request: Buffer, signal: AbortSignal): Promise<Desktop>
}
