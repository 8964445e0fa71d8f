import { counted } from '../../contract/words/counted.ts'
import { missingTables } from '../db/migrate.ts'
import type { Db } from '../db/schema.ts'
import { checkInvariants, countInvariants } from './check.ts'

export interface CommandDependencies {
  readonly withDb: <T>(callback: (db: Db) => Promise<T>) => Promise<T>
  readonly print: (line: string) => void
  readonly printError: (sentence: string) => void
}

const WIDTH = 'VIOLATED'.length

/** Checks the invariants. Returns the exit code: 1 if an invariant is violated, 2 for a usage error. */
export async function runInvariants(
  { withDb, print, printError }: CommandDependencies,
  args: readonly string[],
): Promise<number> {
  const unknown = args.find((arg) => arg !== '--quiet')
  if (unknown !== undefined) {
    printError(`Unknown option ${unknown}. Usage: npm run invariants [-- --quiet]`)
    return 2
  }
  const quiet = args.includes('--quiet')
  return withDb(async (db) => {
    const missing = await missingTables(db)
    if (missing.length > 0) {
      printError(
        `The schema is older than this program: the tables of ${missing.join(', ')} are missing. Run npm run upgrade.`,
      )
      return 1
    }
    let checked = 0
    let violated = 0
    for await (const { name, description, rows } of checkInvariants(db, { quiet })) {
      checked += 1
      if (rows.length > 0) violated += 1
      print(`${(rows.length === 0 ? 'OK' : 'VIOLATED').padEnd(WIDTH)}  ${name.padEnd(6)}  ${description}`)
      for (const row of rows) print(`${' '.repeat(WIDTH + 2)}${JSON.stringify(row)}`)
    }
    const others = countInvariants({ quiet: true }) - checked
    const hint = `With --quiet, ${others} more are checked, which hold only while nothing is changing.`
    print(`${counted(checked, 'invariant')} checked, ${violated} violated.${quiet ? '' : ` ${hint}`}`)
    return violated === 0 ? 0 : 1
  })
}
