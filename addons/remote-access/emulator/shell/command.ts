import type { Computer } from './computer.ts'

export type Effect = 'exit' | 'halt'

export interface Outcome {
  readonly out?: string
  readonly err?: string
  readonly code?: number
  readonly effect?: Effect
}

export interface ShellContext {
  readonly computer: Computer
  folder: string
  readonly history: readonly string[]
  readonly columns: number
  /** Variables that `export` set. */
  readonly exported: Map<string, string>
  /** 'root' under sudo. Default: the machine's account. */
  readonly as?: 'root'
}

export type Command = (given: {
  readonly args: readonly string[]
  readonly input: string
  readonly at: ShellContext
}) => Outcome
