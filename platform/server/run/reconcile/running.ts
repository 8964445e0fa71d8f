import type { RawBuilder } from 'kysely'
import type { Listener } from '../../db/listen.ts'

export interface Running {
  /** Stops accepting work and resolves when the work in progress has ended. */
  stop(): Promise<void>
}

export interface DueCheck {
  readonly name: string
  readonly isDue: RawBuilder<boolean>
  wake(): void
}

/** A background activity that is woken by notifications, and by polling where no notification is sent. */
export interface Loop extends Running {
  readonly listeners: readonly Listener[]
  readonly dueChecks: readonly DueCheck[]
}
