import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { descendantsOf } from './descendants.ts'

test('returns children and grandchildren, including those in their own process group', async ({ onTestFinished }) => {
  const inner = `require('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })`
  const child = spawn(process.execPath, ['-e', `console.log(${inner}.pid); setInterval(() => {}, 1000)`])
  const [output] = (await once(child.stdout, 'data')) as [Buffer]
  const grandchild = Number(output.toString())
  onTestFinished(() => {
    for (const pid of [child.pid!, grandchild]) process.kill(pid, 'SIGKILL')
  })
  expect(descendantsOf(child.pid!)).toEqual([grandchild])
  expect(descendantsOf(process.pid)).toEqual(expect.arrayContaining([child.pid, grandchild]))
})
