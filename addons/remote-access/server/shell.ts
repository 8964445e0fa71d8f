import type { Duplex } from 'node:stream'
import type { MachineAddress } from '@trainyard/templates/server/machine-address.ts'

export interface ShellTarget extends MachineAddress {
  readonly account: string
  readonly password: string
  /** Returns true if this public host key is the machine's. Called before any secret is sent. */
  readonly isTrustedKey: (offered: Buffer) => Promise<boolean>
}

export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface ShellEvents {
  printed(bytes: Buffer): void
  /** Called when the shell accepts input again after `write` returned false. */
  drained(): void
  /** Called when the session ends: `left` if the shell exited, `cut` if the connection was lost. */
  ended(how: 'left' | 'cut'): void
}

export interface Shell {
  /** Writes input. Returns false if the caller must wait for `drained` before writing more. */
  write(bytes: Buffer): boolean
  resize(size: Size): void
  pause(): void
  resume(): void
  close(): void
}

export interface Shells {
  /** Returns the machine's public host key; sends no credentials. @throws ShellError */
  getHostKey(at: MachineAddress, signal: AbortSignal): Promise<Buffer>
  /** Connects to the machine's SSH server, without SSH itself. @throws ShellError unreachable, noGateway */
  connect(at: MachineAddress, signal: AbortSignal): Promise<Duplex>
  open(target: ShellTarget, size: Size, events: ShellEvents, signal: AbortSignal): Promise<Shell>
}
