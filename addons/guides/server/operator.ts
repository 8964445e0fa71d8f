import { mkdirSync, readdirSync, writeFileSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from '@trainyard/platform/server/core/command.ts'
import { CommandError } from '@trainyard/platform/server/core/errors.ts'
import { filesIn } from './format/files-in.ts'
import { isError, UnreadableGuide } from './format/finding.ts'
import { checkGuide } from './format/read-guide.ts'
import { importGuide } from './import/import-guide.ts'

const USAGE = 'npm run guides -- import FOLDER NEW-FOLDER'

/** Converts the guide of another product in a folder to ours in a new folder, and prints what was not mapped. */
export const guidesCommand: Command = async ({ args: [action, from, to, ...extra], print }) => {
  if (action !== 'import' || from === undefined || to === undefined || extra.length > 0)
    throw new CommandError(`Usage: ${USAGE}`)
  if (!existsSync(from)) throw new CommandError(`There is no folder ${from}.`)
  if (existsSync(to) && readdirSync(to).length > 0) throw new CommandError(`${to} is not empty.`)
  try {
    const { format, counts, notes, files } = importGuide(filesIn(from))
    const { findings } = checkGuide(files)
    for (const [path, content] of files) {
      mkdirSync(dirname(join(to, path)), { recursive: true })
      writeFileSync(join(to, path), content)
    }
    for (const { file, line, kind, sentence } of notes)
      print(`${[file, line].filter((part) => part !== null).join(':')}: ${kind}: ${sentence}`)
    for (const { file, line, at, sentence, kind } of findings)
      print(`${[join(to, file), line].filter(Boolean).join(':')}: ${[kind, at, sentence].filter(Boolean).join(': ')}`)
    print(
      `${format}: ${Object.entries(counts)
        .flatMap(([name, count]) => (count > 0 ? `${name} ${count}` : []))
        .join(', ')}`,
    )
    return findings.some(isError) ? 1 : 0
  } catch (error) {
    if (error instanceof UnreadableGuide) throw new CommandError(error.message)
    throw error
  }
}
