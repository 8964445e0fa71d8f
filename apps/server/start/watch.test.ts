import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { keepRunning } from './part.ts'
import { answering, until } from './test-run.ts'
import { restartOnChange } from './watch.ts'

const script = fileURLToPath(new URL('test-part.ts', import.meta.url))

test(
  'restarts a process on every change of a file, also after an editor has replaced the file',
  { tags: ['storm'] },
  async ({ onTestFinished }) => {
    const dir = mkdtempSync(join(tmpdir(), 'trainyard-watch-'))
    mkdirSync(join(dir, 'deep'))
    const file = join(dir, 'deep', 'one.ts')
    writeFileSync(file, 'export const one = 1')
    const port = await freePort()
    const messages: string[] = []
    const ending = new AbortController()
    const child = keepRunning(
      { name: 'first', script: [script, String(port)], watch: [dir] },
      null,
      (line) => messages.push(line),
      ending.signal,
    )
    onTestFinished(async () => {
      ending.abort()
      await child.stop(2_000)
      removeFolder(dir)
    })
    await restartOnChange([child])

    let before = await until('the child process replies', () => answering(port))
    const restartsAfter = async (change: () => void) => {
      change()
      before = await until('another process replies', async () => {
        const now = await answering(port)
        return now !== false && now !== before && now
      })
    }
    const replace = (text: string) => {
      writeFileSync(`${file}.next`, text)
      renameSync(`${file}.next`, file)
    }
    await restartsAfter(() => writeFileSync(file, 'export const one = 2'))
    await restartsAfter(() => replace('export const one = 3'))
    await restartsAfter(() => replace('export const one = 4'))
    await restartsAfter(() => writeFileSync(file, 'export const one = 5'))
    await restartsAfter(() => writeFileSync(join(dir, 'deep', 'new.ts'), 'export const two = 2'))
    await restartsAfter(() => rmSync(join(dir, 'deep', 'new.ts')))
    expect(messages).toEqual([])
  },
)
