import type { Computer } from '#src/ssh/shell/computer.ts'

/** Effect of a command in addition to its output. */
export type Effect = 'exit' | 'halt'

export interface Outcome {
  readonly out?: string
  readonly err?: string
  /** Exit code. Default 0. */
  readonly code?: number
  readonly effect?: Effect
}

export interface ShellContext {
  readonly computer: Computer
  folder: string
  readonly history: readonly string[]
  readonly columns: number
  /** 'root' under sudo. Default: the machine's account. */
  readonly as?: 'root'
}

export type Command = (given: {
  readonly args: readonly string[]
  readonly input: string
  readonly at: ShellContext
}) => Outcome
