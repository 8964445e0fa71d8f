import type { RawBuilder } from 'kysely'
import type { Listener } from '../db/listen.ts'

/** Something that runs by itself until it is told to stop. */
export interface Running {
  /** Takes nothing new up, and settles when what is at work has come to its end. */
  stop(): Promise<void>
}

/** Something that may come to be due without a commit that tells of it. */
export interface Watched {
  /** Its own among all that one worker watches. */
  readonly name: string
  /** True in SQL while something is due. */
  readonly isDue: RawBuilder<boolean>
  /** Called while something is due. */
  wake(): void
}

/** Works as it is woken: by the channels of commits, and by what is watched where nobody tells; see due.ts. */
export interface Loop extends Running {
  readonly listeners: readonly Listener[]
  readonly watched: readonly Watched[]
}
