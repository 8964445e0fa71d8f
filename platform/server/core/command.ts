import type { Config, Secrets } from '../config/config.ts'
import type { Db } from '../db/schema.ts'

/** Context of a command of the operator. */
interface CommandContext {
  readonly config: Config
  readonly secrets: Secrets
  readonly args: readonly string[]
  readonly print: (line: string) => void
  readonly printError: (line: string) => void
  /** Runs work with the database of this installation, which must exist. */
  withDb<T>(as: 'app' | 'owner', work: (db: Db) => Promise<T>): Promise<T>
}

/** Runs a command of the operator and returns its exit code. */
export type Command = (context: CommandContext) => Promise<number>
