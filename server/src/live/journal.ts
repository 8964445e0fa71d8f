import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { ConfigError } from '../core/errors.ts'

const thing = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('group'), id: z.string(), group: z.string() }),
  z.strictObject({ kind: z.literal('directoryUser'), id: z.string(), signInName: z.string() }),
  z.strictObject({ kind: z.literal('awsUser'), id: z.string(), username: z.string() }),
])

const left = z.strictObject({ at: z.string(), thing, since: z.number().default(0) })

/** Something at a far end that must be gone when all is over. What stands in a group goes with it. */
export type Thing = z.infer<typeof thing>

/**
 * A thing with the account it was made in, in words for people, and since when it may stand: milliseconds of this
 * machine's clock.
 */
export type Left = z.infer<typeof left>

/** The account, in words for people, in which things of each kind are made by the settings as they are now. */
export type Accounts = Readonly<Record<Thing['kind'], string>>

/** Everything that may stand at a far end because of this program, on the disk before it is asked for. */
export interface Journal {
  things(): readonly Left[]
  /** Returns when the disk has it: a kill right after leaves nothing unknown. */
  willMake(made: Thing): void
  isGone(gone: Thing): void
  /** Lets the next process have the folder, as the end of this one does. */
  close(): void
}

/**
 * Opens the journal in a folder, with what an earlier run left in it, for this process alone: another one would delete
 * what this one is at work on. Throws ConfigError when another has it, or when it can't be read.
 */
export function openJournal(folder: string, accounts: Accounts): Journal {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const release = hold(folder)
  const file = join(folder, 'left.json')
  let things = read(file)
  const keep = (next: readonly Left[]) => {
    write(file, JSON.stringify(next, null, 2))
    things = next
  }
  return {
    things: () => things,
    willMake: (made) => keep([...things, { at: accounts[made.kind], thing: made, since: Date.now() }]),
    isGone: (gone) => keep(things.filter((each) => each.thing.id !== gone.id || each.thing.kind !== gone.kind)),
    close: release,
  }
}

/** Takes SQLite's lock, which the operating system takes back from a process that is killed. */
function hold(folder: string): () => void {
  const file = join(folder, 'lock')
  // SQLite makes its files as open as the umask lets it, and those beside one as open as that one is.
  closeSync(openSync(file, 'a', 0o600))
  const lock = new DatabaseSync(file)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw new ConfigError(`Another npm run live is at work in ${folder}: wait for its end, or end it.`, {
      cause: error,
    })
  }
  return () => lock.close()
}

function read(file: string): readonly Left[] {
  if (!existsSync(file)) return []
  try {
    return z.array(left).parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new ConfigError(
      `${file} can't be read. It names what an earlier run left behind: delete that by hand, and then the file.`,
      { cause: error },
    )
  }
}

function write(file: string, text: string): void {
  const next = openSync(`${file}.next`, 'w', 0o600)
  try {
    writeSync(next, text)
    fsyncSync(next)
  } finally {
    closeSync(next)
  }
  renameSync(`${file}.next`, file)
}
