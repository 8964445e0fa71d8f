import type { Computer } from '#src/ssh/shell/computer.ts'

/** The effect of a command beside printing. */
export type Effect = 'exit' | 'halt'

export interface Outcome {
  readonly out?: string
  readonly err?: string
  /** 0 when left out. */
  readonly code?: number
  readonly effect?: Effect
}

export interface Surroundings {
  readonly computer: Computer
  /** The folder one stands in. */
  folder: string
  readonly history: readonly string[]
  readonly columns: number
  /** sudo runs a command as root; left out: as the machine's account. */
  readonly as?: 'root'
}

export type Command = (given: {
  readonly args: readonly string[]
  readonly input: string
  readonly at: Surroundings
}) => Outcome
