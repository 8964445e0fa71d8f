/** Reason why a connection failed. `noGateway`: the agent of the machine's private network is not connected. */
export type ShellErrorKind = 'unreachable' | 'noGateway' | 'loginRefused' | 'otherKey'

export class ShellError extends Error {
  override readonly name = 'ShellError'
  readonly kind: ShellErrorKind

  constructor(kind: ShellErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
