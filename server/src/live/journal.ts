import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const thing = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('group'), id: z.string(), group: z.string() }),
  z.strictObject({ kind: z.literal('directoryUser'), id: z.string(), signInName: z.string() }),
  z.strictObject({ kind: z.literal('awsUser'), id: z.string(), username: z.string() }),
])

/** Something at a far end that must be gone when all is over. What stands in a group goes with it. */
export type Thing = z.infer<typeof thing>

/** Everything that may stand at a far end because of this program, on the disk before it is asked for. */
export interface Journal {
  things(): readonly Thing[]
  /** Returns when the disk has it: a kill right after leaves nothing unknown. */
  willMake(made: Thing): void
  isGone(gone: Thing): void
}

/** Opens the journal in a folder, with what an earlier run left in it. Throws when it can't be read. */
export function openJournal(folder: string): Journal {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'left.json')
  let things: readonly Thing[] = existsSync(file) ? z.array(thing).parse(JSON.parse(readFileSync(file, 'utf8'))) : []
  const keep = (next: readonly Thing[]) => {
    write(file, JSON.stringify(next, null, 2))
    things = next
  }
  return {
    things: () => things,
    willMake: (made) => keep([...things, made]),
    isGone: (gone) => keep(things.filter(({ id, kind }) => id !== gone.id || kind !== gone.kind)),
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
